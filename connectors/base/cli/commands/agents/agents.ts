import { isIn } from "../../../agents/board/filter_board.ts";
import { type OutsideAgent, outsideAgents, outsideHandle } from "../../../agents/peers/outside.ts";
import { reachPeers } from "../../../agents/peers/reach_peers.ts";
import { uniqueHandle } from "../../../agents/peers/lookup.ts";
import { localPeers, openMesh } from "../../../agents/mesh.ts";
import { mergePeers, type Peer } from "../../../agents/peers/peer.ts";
import { stopSignal } from "../../../sync/stop_signal.ts";
import { connectedStations } from "../../agents/open_station.ts";
import { type Context, EXIT, type Outcome } from "../../command.ts";
import { age } from "../../output/age.ts";
import { hasScreen } from "../../output/has_screen.ts";
import { table } from "../../output/layout.ts";

interface Shown {
  readonly peers: readonly Peer[];
  /** Agents elsewhere that speak A2A. */
  readonly outside: readonly OutsideAgent[];
  /** Daemons that did not answer. */
  readonly problems: readonly string[];
}

/** Lists the agents that are live, on this machine and at the daemon. */
export async function run(context: Context): Promise<Outcome> {
  const { flags, ui } = context;
  if (flags.on("watch")) return await watch(context);
  const shown = await ui.during("Looking for agents", find(context));
  print(context, shown);
  return { code: EXIT.ok, data: document(shown) };
}

async function find(context: Context): Promise<Shown> {
  const { host, flags } = context;
  const mesh = openMesh(host);
  const elsewhere = await reachPeers(connectedStations(context, mesh));
  const all = mergePeers(localPeers(mesh), elsewhere.peers);
  const project = flags.text("project");
  const named = namedIds(context);
  const peers = all.filter((peer) =>
    (project === undefined || isIn(peer.project, project)) &&
    (named === undefined || named.includes(peer.harness))
  );
  // They have no project and no harness.
  const outside = project === undefined && named === undefined ? outsideAgents(host) : [];
  return { peers, outside, problems: elsewhere.problems };
}

/** The harnesses that were named, where there is a choice. */
function namedIds({ harnesses, known }: Context): string[] | undefined {
  return harnesses.length > 0 && known.length > 1 ? harnesses.map(({ id }) => id) : undefined;
}

function print({ ui, binary }: Context, { peers, outside, problems }: Shown): void {
  const now = Date.now();
  if (peers.length > 0 || outside.length > 0) {
    ui.block(table(
      ["HANDLE", "AGENT", "PROJECT", "STATUS", "SINCE", "UNREAD", "MACHINE"],
      [
        ...peers.map((peer) => [
          handleIn(peers, peer),
          peer.agentId,
          ui.path(peer.project),
          status(peer),
          age(now - (peer.since ?? peer.seenAt)),
          peer.unread ? String(peer.unread) : "",
          peer.here ? "here" : "",
        ]),
        ...outside.map((agent) => [outsideHandle(agent), "", "", "outside", "", "", new URL(agent.url).host]),
      ],
      ui,
    ));
  } else {
    ui.say("No agent is live.");
    ui.next(`Sessions appear here once a harness was installed with: ${binary} install --agents`);
  }
  for (const problem of problems) ui.warn(`${problem} Only sessions on this machine are shown.`);
}

/** Only live sessions are looked up, so only they need handles that differ. */
function handleIn(peers: readonly Peer[], peer: Peer): string {
  return uniqueHandle(
    peer,
    peer.status === "gone" ? [peer] : peers.filter(({ status }) => status !== "gone"),
  );
}

/** What a session does; the daemon knows only that it was there. */
function status({ status, tool, file }: Peer): string {
  if (status === undefined) return "live";
  return status === "working" && tool ? `working (${file ? `${tool} ${file}` : tool})` : status;
}

function document({ peers, outside, problems }: Shown) {
  return {
    agents: peers.map((peer) => ({
      handle: handleIn(peers, peer),
      session: peer.key,
      harness: peer.harness,
      agentId: peer.agentId,
      project: peer.project,
      status: peer.status ?? "live",
      since: iso(peer.since ?? peer.seenAt),
      seen: iso(peer.seenAt),
      tool: peer.tool,
      file: peer.file,
      unread: peer.unread,
      here: peer.here,
      machine: peer.machine,
    })),
    outside: outside.map((agent) => ({ handle: outsideHandle(agent), url: agent.url })),
    problems,
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A screen of its own on a terminal; else the list again every two seconds, until it is stopped. */
async function watch(context: Context): Promise<Outcome> {
  const { ui, flags, host } = context;
  if (hasScreen(ui, host)) {
    const { runScreen } = await import("../../../agents/screen/run_screen.ts");
    const filter = { project: flags.text("project"), harnesses: namedIds(context) };
    return { code: await runScreen(context, "watch", filter), data: undefined };
  }
  using stop = stopSignal();
  const stopped = new Promise<undefined>((resolve) => {
    stop.signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
  let shown: Shown | undefined;
  while (!stop.signal.aborted) {
    const next = await Promise.race([stopped, find(context)]);
    if (next === undefined) break;
    shown = next;
    print(context, shown);
    let timer: number | undefined;
    await Promise.race([stopped, new Promise((resolve) => timer = setTimeout(resolve, 2_000))]);
    clearTimeout(timer);
  }
  return { code: stop.exitCode, data: shown && document(shown) };
}
