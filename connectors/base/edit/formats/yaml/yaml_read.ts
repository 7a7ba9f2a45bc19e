import {
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Pair,
  type ParsedNode,
  parseDocument,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import type { Json } from "../../edit.ts";
import { configError, type Entry, type Node } from "../../tree.ts";

/** The position of a YAML value beyond its own text. */
export interface YamlPlace {
  /** Where its anchor or tag begins, or else the value. */
  readonly propsStart: number;
  /** Just after the colon of its key. */
  readonly colonEnd?: number;
  /** Where its key begins. */
  readonly keyStart?: number;
  /** The dash of a block list's item. */
  readonly dash?: number;
  /** True if the value is inside brackets. */
  readonly inFlow: boolean;
  /** `|` or `>`: its text runs over the line break. */
  readonly blockScalar?: boolean;
}

export function placeOf(node: Node): YamlPlace {
  const place = node.place;
  const known = typeof place === "object" && place !== null && "inFlow" in place;
  // Every node from this module has one.
  return known ? place as YamlPlace : { propsStart: node.start, inFlow: true };
}

const NONE: readonly never[] = [];

export function readYaml(text: string): Node {
  // The library strips a byte order mark, and its offsets with it.
  const bom = text.startsWith("\uFEFF") ? 1 : 0;
  const doc = parseDocument(text.slice(bom), {
    keepSourceTokens: true,
    prettyErrors: false,
    merge: false,
    uniqueKeys: true,
  });
  const error = doc.errors[0];
  if (error) throw configError(text, error.pos[0] + bom, errorMessage(error.code, error.message));
  return new Reader(text, bom).document(doc);
}

function errorMessage(code: string, message: string): string {
  if (code === "MULTIPLE_DOCS") {
    return "the file has more than one YAML document";
  }
  if (code === "DUPLICATE_KEY") return "duplicate key";
  return message.replace(/\s+/g, " ").replace(/\.?$/, "");
}

interface Mutable extends Node {
  readonly aliases: Node[];
}

class Reader {
  readonly #anchors = new Map<string, Mutable>();

  constructor(readonly text: string, readonly bom: number) {}

  document(doc: Document.Parsed): Node {
    const root = doc.contents;
    if (!root || (isScalar(root) && root.range[0] === root.range[1])) {
      const end = this.text.length;
      const place: YamlPlace = { propsStart: end, inFlow: false };
      return {
        kind: "scalar",
        start: end,
        end,
        scalar: null,
        entries: NONE,
        items: NONE,
        bracketed: false,
        place,
      };
    }
    return this.#node(root, { propsStart: this.#at(root.range[0]), inFlow: false });
  }

  #at(offset: number): number {
    return offset + this.bom;
  }

  #node(node: ParsedNode | null, place: YamlPlace): Node {
    if (!node) {
      const at = place.colonEnd ?? place.propsStart;
      return {
        kind: "scalar",
        start: at,
        end: at,
        scalar: null,
        entries: NONE,
        items: NONE,
        bracketed: false,
        place,
      };
    }
    const start = this.#at(node.range[0]);
    const end = this.#at(node.range[1]);
    this.#checkTag(node, place.propsStart);
    if (isAlias(node)) {
      const target = this.#anchors.get(node.source);
      if (!target) {
        throw configError(this.text, start, `the alias *${node.source} refers to a value that contains it`);
      }
      const alias: Node = {
        kind: "alias",
        start,
        end,
        entries: NONE,
        items: NONE,
        bracketed: false,
        target,
        place,
      };
      target.aliases.push(alias);
      return alias;
    }
    const shaped = isMap(node) ? this.#map(node, place) : isSeq(node) ? this.#seq(node, place) : undefined;
    const blockScalar = node.srcToken?.type === "block-scalar";
    const made: Mutable = shaped ? { ...shaped, aliases: [] } : {
      kind: "scalar",
      start,
      end,
      scalar: isScalar(node) ? plain(node.value) : null,
      entries: NONE,
      items: NONE,
      bracketed: false,
      place: { ...place, blockScalar },
      aliases: [],
    };
    const anchor = isAlias(node) ? undefined : node.anchor;
    if (anchor) this.#anchors.set(anchor, made);
    return made;
  }

  /** Only the tags whose values every YAML reader agrees on: !!omap is a list to one, a map to another. */
  #checkTag(node: ParsedNode, start: number): void {
    const tag = isAlias(node) ? undefined : /^tag:yaml\.org,2002:(.*)$/.exec(node.tag ?? "")?.[1];
    if (tag === undefined || TAGS.has(tag)) return;
    throw configError(this.text, start, `the YAML tag !!${tag} is not supported; write the value without it`);
  }

  #map(map: YAMLMap.Parsed, place: YamlPlace): Node {
    const bracketed = map.flow === true;
    const inFlow = place.inFlow || bracketed;
    const merged: Node[] = [];
    const entries = map.items.map((pair): Entry => {
      const entry = this.#entry(pair, inFlow);
      if (entry.key === "<<") merged.push(...entry.value.kind === "list" ? entry.value.items : [entry.value]);
      return entry;
    });
    return this.#container(
      "map",
      map,
      bracketed,
      { ...place },
      entries,
      NONE,
      merged.length > 0 ? merged : undefined,
    );
  }

  #entry(pair: Pair<ParsedNode, ParsedNode | null>, inFlow: boolean): Entry {
    const source = pair.srcToken;
    const keyAt = this.#at(pair.key?.range[0] ?? 0);
    const start = this.#props(source?.start) ?? keyAt;
    const colon = source?.sep?.find((token) => token.type === "map-value-ind");
    const colonEnd = colon ? this.#at(colon.offset) + 1 : undefined;
    const valueAt = pair.value
      ? this.#at(pair.value.range[0])
      : colonEnd ?? this.#at(pair.key?.range[1] ?? 0);
    const propsStart = this.#props(source?.sep) ?? valueAt;
    const value = this.#node(pair.value, { propsStart, colonEnd, keyStart: start, inFlow });
    return { key: keyText(pair.key), start, value };
  }

  /** Where an anchor or tag among these tokens begins. */
  #props(tokens: readonly CST.SourceToken[] | undefined): number | undefined {
    const token = tokens?.find(({ type }) =>
      type === "anchor" || type === "tag" || type === "explicit-key-ind"
    );
    return token && this.#at(token.offset);
  }

  #seq(seq: YAMLSeq.Parsed, place: YamlPlace): Node {
    const bracketed = seq.flow === true;
    const inFlow = place.inFlow || bracketed;
    const tokens = seq.srcToken && "items" in seq.srcToken ? seq.srcToken.items : [];
    const items = seq.items.map((item, i) => {
      const token = tokens[i];
      const dash = token?.start.find(({ type }) => type === "seq-item-ind");
      const dashAt = dash && this.#at(dash.offset);
      const at = item ? this.#at(item.range[0]) : (dashAt ?? 0) + 1;
      return this.#node(item, { propsStart: this.#props(token?.start) ?? at, dash: dashAt, inFlow });
    });
    return this.#container("list", seq, bracketed, place, NONE, items, undefined);
  }

  #container(
    kind: "map" | "list",
    node: YAMLMap.Parsed | YAMLSeq.Parsed,
    bracketed: boolean,
    place: YamlPlace,
    entries: readonly Entry[],
    items: readonly Node[],
    merged: readonly Node[] | undefined,
  ): Node {
    const last = entries.at(-1)?.value ?? items.at(-1);
    const start = bracketed
      ? this.#at(node.range[0])
      : entries[0]?.start ?? placeOf(items[0] ?? NOTHING).dash ?? this.#at(node.range[0]);
    // The library's end of a block runs over the comments that follow it.
    const end = bracketed || !last ? this.#at(node.range[1]) : last.end;
    return { kind, start, end, entries, items, bracketed, place, ...merged ? { merged } : {} };
  }
}

const TAGS = new Set(
  ["map", "seq", "str", "int", "float", "bool", "null", "binary", "timestamp", "set", "merge"],
);

const NOTHING: Node = { kind: "scalar", start: 0, end: 0, entries: NONE, items: NONE, bracketed: false };

function keyText(key: ParsedNode | null): string {
  if (isScalar(key)) return String(key.value);
  return key ? `? ${key.range[0]}` : "null";
}

/** Dates, big integers and similar values become strings here; the check before a write compares the real values. */
function plain(value: unknown): Json {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ||
      value === null
    ? value
    : String(value);
}
