import { assert, assertEquals } from "@std/assert";
import { firstFrom, inSpan, messageAt, MOST_ARCS, toArcs, toCurves } from "./arcs.js";

const party = (key: string) => ({ key, name: key });
const message = (at: number, more: object = {}) => ({
  id: `m${at}`,
  at,
  from: party("a"),
  to: [party("b")],
  kind: "message",
  priority: 3,
  state: "seen",
  ...more,
});
const places = new Map([["a", { y: 10, height: 22 }], ["b", { y: 54, height: 22 }], ["c", {
  y: 98,
  height: 22,
}]]);
const view = { span: { from: 0, to: 1000 }, width: 500, height: 110, places };
const none = { chosen: "", selected: undefined };

Deno.test("toArcs() has one arc per receiver, and none to oneself", () => {
  const arcs = toArcs([message(1, { to: [party("b"), party("c"), party("a")] })]);
  assertEquals(arcs.map((arc: { from: string; to: string }) => arc.from + arc.to), ["ab", "ac"]);
});

Deno.test("toArcs() tells messages, replies, urgent and lost ones apart", () => {
  const tones = [{}, { kind: "reply" }, { priority: 4 }, { priority: 5, kind: "reply" }, {
    state: "expired",
  }];
  assertEquals(toArcs(tones.map((more) => message(1, more))).map(({ tone }: { tone: string }) => tone), [
    "message",
    "reply",
    "urgent",
    "urgent",
    "lost",
  ]);
});

Deno.test("inSpan() has the items of a span, with both ends", () => {
  const items = [1, 2, 2, 3, 5].map((at) => ({ at }));
  assertEquals(inSpan(items, { from: 2, to: 3 }).map(({ at }: { at: number }) => at), [2, 2, 3]);
  assertEquals([0, 1, 4, 9].map((time) => firstFrom(items, time)), [0, 0, 4, 5]);
  assertEquals(firstFrom([], 1), 0);
});

Deno.test("toCurves() begins where a message was sent and ends where it was seen", () => {
  const { curves } = toCurves(toArcs([message(100, { seenAt: 300 }), message(400)]), view, none);
  const byId = new Map(curves.map((curve) => [curve.id, curve]));
  const { x1, y1, x2, y2, seen } = byId.get("m100") ?? {};
  assertEquals([x1, y1, x2, y2, seen], [50, 10, 150, 54, true]);
  assertEquals([byId.get("m400")?.x2, byId.get("m400")?.seen], [200, false]);
});

Deno.test("toCurves() leaves out what is not in the span, and lanes that are not shown", () => {
  const arcs = toArcs([message(100), message(2000), message(300, { to: [party("elsewhere")] })]);
  assertEquals(toCurves(arcs, view, none).count, 1);
  const later = { ...view, span: { from: 200, to: 500 } };
  assertEquals(toCurves(toArcs([message(100), message(150, { seenAt: 250 })]), later, none).curves.length, 1);
});

Deno.test("toCurves() makes points of too many arcs, but curves of those of the chosen lane", () => {
  const many = Array.from(
    { length: MOST_ARCS + 1 },
    (_, index) => message(index, { to: [party(index % 9 ? "b" : "c")] }),
  );
  const arcs = toArcs(many);
  assertEquals(toCurves(arcs, view, none).curves.length, 0);
  assertEquals(toCurves(arcs, view, none).points.length, MOST_ARCS + 1);
  const chosen = toCurves(arcs, view, { chosen: "c", selected: "m1" });
  assertEquals(chosen.curves.length, many.filter((_, index) => index % 9 === 0 || index === 1).length);
  assertEquals(toCurves(arcs, view, { chosen: "a", selected: undefined }).curves.length, MOST_ARCS);
});

Deno.test("toCurves() leaves out points of lanes that are out of sight", () => {
  const arcs = toArcs(Array.from({ length: MOST_ARCS + 1 }, (_, index) => message(index)));
  assertEquals(toCurves(arcs, { ...view, height: 5 }, none).points.length, 0);
});

Deno.test("toCurves() lets arcs of other lanes step back", () => {
  const arcs = toArcs([message(1), message(2, { to: [party("c")] })]);
  const faint = (chosen: string) =>
    toCurves(arcs, view, { chosen, selected: undefined }).curves.map((c) => c.faint);
  assertEquals(faint(""), [false, false]);
  assertEquals(faint("c").sort(), [false, true]);
});

Deno.test("messageAt() finds the message under the pointer", () => {
  const shown = toCurves(toArcs([message(100, { seenAt: 300 }), message(800)]), view, none);
  assertEquals(messageAt(shown, { x: 50, y: 10 }), "m100");
  assertEquals(messageAt(shown, { x: 148, y: 53 }), "m100");
  assertEquals(messageAt(shown, { x: 402, y: 12 }), "m800");
  assertEquals(messageAt(shown, { x: 300, y: 30 }), undefined);
  assertEquals(
    messageAt({ curves: [], points: [{ id: "p", tone: "reply", x: 5, y: 5 }] }, { x: 6, y: 6 }),
    "p",
  );
});

Deno.test("toCurves() looks only at what can be in sight", () => {
  const arcs = toArcs(Array.from({ length: 1000 }, (_, index) => message(index * 100_000)));
  const { count } = toCurves(arcs, { ...view, span: { from: 50_000_000, to: 50_500_000 } }, none);
  assert(count >= 5 && count <= 6, String(count));
});
