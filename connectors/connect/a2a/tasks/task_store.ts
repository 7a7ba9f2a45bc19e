import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { Task, TaskPushNotificationConfig, type TaskState } from "@a2a-js/sdk";

/** A task with what only the gateway knows about it. */
export interface StoredTask {
  readonly task: Task;
  /** The client that created it; nobody else sees it. */
  readonly owner: string;
  /** The handle in the URL; "" for the default agent. */
  readonly agent: string;
  /** When it fails if nobody has answered, in ms since 1970. */
  readonly expires: number;
}

export interface NewTask extends StoredTask {
  /** The id that the client gave to its message; a second one with this id is the same task. */
  readonly clientMessage: string;
}

export interface TaskQuery {
  readonly context?: string;
  readonly state?: TaskState;
  readonly after?: number;
  readonly before?: { readonly changed: number; readonly id: string };
  readonly limit: number;
}

/** A message of the mesh that carries a task. */
export interface Link {
  readonly id: string;
  readonly task: string;
  readonly harness: string;
  /** The session that it was sent to; undefined for a headless run. */
  readonly session?: string;
}

export interface OpenLink extends Link {
  readonly state: TaskState;
}

/** The gateway's tasks on disk. Each method is one statement, so a killed process leaves no half task. */
export class TaskStore {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Stores a new task; if this message made one before, that one is returned. */
  add(task: NewTask): StoredTask {
    const before = this.#get("select * from tasks where owner = ? and client_message = ?", [
      task.owner,
      task.clientMessage,
    ]);
    if (before !== undefined) return before;
    this.#statement(`
      insert into tasks (id, owner, agent, context, state, changed, expires, client_message, body)
      values (?, ?, ?, ?, ?, ?, ?, ?, ?)
    `).run(
      task.task.id,
      task.owner,
      task.agent,
      task.task.contextId,
      stateOf(task.task),
      changedAt(task.task),
      task.expires,
      task.clientMessage,
      encode(task.task),
    );
    return task;
  }

  /** A task, if it belongs to this client. */
  get(id: string, owner: string): StoredTask | undefined {
    return this.#get("select * from tasks where id = ? and owner = ?", [id, owner]);
  }

  /** A task, whoever created it. */
  find(id: string): StoredTask | undefined {
    return this.#get("select * from tasks where id = ?", [id]);
  }

  save(task: Task): void {
    this.#statement("update tasks set state = ?, changed = ?, body = ? where id = ?")
      .run(stateOf(task), changedAt(task), encode(task), task.id);
  }

  /** The tasks that are not done, oldest first. */
  open(): StoredTask[] {
    return this.#list("select * from tasks where state in (1, 2, 6, 8) order by changed, id", []);
  }

  /** A client's tasks, the newest change first. */
  list(owner: string, query: TaskQuery): { tasks: StoredTask[]; total: number } {
    const where = ["owner = ?"];
    const values: SQLInputValue[] = [owner];
    const add = (condition: string, ...given: SQLInputValue[]) => {
      where.push(condition);
      values.push(...given);
    };
    if (query.context !== undefined) add("context = ?", query.context);
    if (query.state !== undefined) add("state = ?", query.state);
    if (query.after !== undefined) add("changed > ?", query.after);
    const count = this.#statement(`select count(*) as total from tasks where ${where.join(" and ")}`);
    const total = Number(count.get(...values)?.total ?? 0);
    const { before } = query;
    if (before !== undefined) add("(changed, id) < (?, ?)", before.changed, before.id);
    const tasks = this.#list(
      `select * from tasks where ${where.join(" and ")} order by changed desc, id desc limit ?`,
      [...values, query.limit],
    );
    return { tasks, total };
  }

  /** Remembers which message of the mesh carries a task, and who has it. */
  link({ id, task, harness, session }: Link): void {
    this.#statement("insert or replace into mesh_messages (id, task, harness, session) values (?, ?, ?, ?)")
      .run(id, task, harness, session ?? null);
  }

  unlink(message: string): void {
    this.#statement("delete from mesh_messages where id = ?").run(message);
  }

  taskOf(message: string): string | undefined {
    const row = this.#statement("select task from mesh_messages where id = ?").get(message);
    return typeof row?.task === "string" ? row.task : undefined;
  }

  /** The messages that carry a task, oldest first. */
  linksOf(task: string): Link[] {
    return this.#statement("select * from mesh_messages where task = ? order by id").all(task).map(link);
  }

  /** Who has which task that is not done. */
  openLinks(): OpenLink[] {
    const rows = this.#statement(`
      select m.*, t.state from tasks t join mesh_messages m on m.task = t.id
      where t.state in (1, 2, 6, 8) order by m.id
    `).all();
    return rows.map((row) => ({ ...link(row), state: Number(row.state) }));
  }

  /** The tasks that nobody has, oldest first. */
  unassigned(): StoredTask[] {
    return this.#list(
      `select * from tasks t where state in (1, 2, 6, 8)
       and not exists (select 1 from mesh_messages m where m.task = t.id) order by changed, id`,
      [],
    );
  }

  /** The ids of tasks whose time is up. */
  expired(now: number): string[] {
    const rows = this.#statement("select id from tasks where state in (1, 2, 6, 8) and expires < ?").all(now);
    return rows.map(({ id }) => String(id));
  }

  saveConfig(config: TaskPushNotificationConfig): void {
    this.#statement("insert or replace into push_configs (task, id, body) values (?, ?, ?)")
      .run(config.taskId, config.id, JSON.stringify(TaskPushNotificationConfig.toJSON(config)));
  }

  configs(task: string): TaskPushNotificationConfig[] {
    const rows = this.#statement("select body from push_configs where task = ? order by id").all(task);
    return rows.map(({ body }) => TaskPushNotificationConfig.fromJSON(JSON.parse(String(body))));
  }

  deleteConfig(task: string, id: string): void {
    this.#statement("delete from push_configs where task = ? and id = ?").run(task, id);
  }

  #get(sql: string, values: SQLInputValue[]): StoredTask | undefined {
    const row = this.#statement(sql).get(...values);
    return row === undefined ? undefined : stored(row);
  }

  #list(sql: string, values: SQLInputValue[]): StoredTask[] {
    return this.#statement(sql).all(...values).map(stored);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** When the task's status last changed, in ms since 1970. */
export function changedAt({ status }: Pick<Task, "status">): number {
  return Date.parse(status?.timestamp ?? "") || 0;
}

function stateOf({ status }: Task): number {
  return status?.state ?? 0;
}

function encode(task: Task): string {
  return JSON.stringify(Task.toJSON(task));
}

function stored(row: Record<string, unknown>): StoredTask {
  return {
    task: Task.fromJSON(JSON.parse(String(row.body))),
    owner: String(row.owner),
    agent: String(row.agent),
    expires: Number(row.expires),
  };
}

function link(row: Record<string, unknown>): Link {
  return {
    id: String(row.id),
    task: String(row.task),
    harness: String(row.harness),
    session: typeof row.session === "string" ? row.session : undefined,
  };
}
