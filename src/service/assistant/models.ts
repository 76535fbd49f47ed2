/** Which model answers an organization's questions, and whether it should be asked at all right now. */
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { limits } from "../../base/limits.ts";
import { type LanguageModel, type ModelSettings, openLanguageModel } from "../../io/language-model.ts";
import type { Service } from "../core/service.ts";
import type { AssistantSettings, Plan } from "../core/tables.ts";

export interface ModelOptions {
  /** The service's own. */
  settings: ModelSettings | undefined;
  timeout_s: number;
  /** Told of what readers are not. */
  report(error: unknown): void;
}

/** A model that may be asked. */
export interface ReadyModel {
  model: LanguageModel;
  failed(): void;
  answered(): void;
  /** Told what a question took. */
  used(tokens: number): Promise<void>;
}

/** Whose question it is. */
export interface Site {
  organization: { id: string; plan: Plan };
  projectId: string;
  settings: AssistantSettings | null;
}

interface Opened {
  model: LanguageModel;
  failures: number;
  pausedUntil_ms: number;
}

/** Models of projects that are held open: some objects each. */
const opened_count = 200;

export class Models {
  private readonly service: Pick<Service, "db">;
  private readonly options: ModelOptions;
  private readonly opened = new LRUCache<string, Opened>({ max: opened_count });

  constructor(service: Pick<Service, "db">, options: ModelOptions) {
    this.service = service;
    this.options = options;
    // The libraries take a moment to load: not one of the first reader's.
    if (options.settings) this.open(options.settings, false);
  }

  /** Undefined when there is none, when it failed over and over a moment ago, or when the tokens of the site's day or the organization's month are used up. */
  async of({ organization, projectId, settings: own }: Site): Promise<ReadyModel | undefined> {
    const settings = own?.model ?? this.options.settings;
    if (!settings) return undefined;
    const isOwn = own?.model !== undefined;
    const held = this.open(settings, isOwn);
    if (Date.now() < held.pausedUntil_ms) return undefined;
    // A project's own model has no budget for the month, and one for the day: a flood must not cost a fortune.
    const ofDay = limits.modelTokensOfDay[isOwn ? "own" : organization.plan];
    if (await this.isUsedUp({ organization: isOwn ? undefined : organization, projectId, ofDay })) return undefined;
    return {
      model: held.model,
      failed() {
        held.failures++;
        if (held.failures >= limits.modelFailures_count) held.pausedUntil_ms = Date.now() + limits.modelPause_ms;
      },
      answered() {
        held.failures = 0;
      },
      used: async (tokens) => {
        await this.addTokensOfDay(projectId, tokens);
        if (!isOwn) await this.addTokens(organization.id, tokens);
      },
    };
  }

  private open(settings: ModelSettings, isUntrusted: boolean): Opened {
    const key = JSON.stringify([isUntrusted, settings]);
    const held = this.opened.get(key) ?? {
      model: openLanguageModel(settings, { timeout_s: this.options.timeout_s, isUntrusted }),
      failures: 0,
      pausedUntil_ms: 0,
    };
    this.opened.set(key, held);
    return held;
  }

  /** Whom a busy database cannot tell answers one question more. */
  private async isUsedUp({
    organization,
    projectId,
    ofDay,
  }: {
    organization: Site["organization"] | undefined;
    projectId: string;
    ofDay: number;
  }) {
    const { db } = this.service;
    try {
      const day = await db
        .selectFrom("model_usage_days")
        .select("tokens")
        .where("project_id", "=", projectId)
        .where("day", "=", today)
        .executeTakeFirst();
      if ((day?.tokens ?? 0) >= ofDay) return true;
      if (!organization) return false;
      const row = await db
        .selectFrom("model_usage")
        .select("tokens")
        .where("organization_id", "=", organization.id)
        .where("month", "=", thisMonth)
        .executeTakeFirst();
      return (row?.tokens ?? 0) >= limits.modelTokens[organization.plan];
    } catch (error) {
      this.options.report(error);
      return false;
    }
  }

  private async addTokensOfDay(projectId: string, tokens: number): Promise<void> {
    await sql`
      insert into model_usage_days (project_id, day, tokens) values (${projectId}, ${today}, ${tokens})
      on conflict (project_id, day) do update set tokens = model_usage_days.tokens + excluded.tokens`.execute(this.service.db);
  }

  private async addTokens(organizationId: string, tokens: number): Promise<void> {
    await sql`
      insert into model_usage (organization_id, month, tokens) values (${organizationId}, ${thisMonth}, ${tokens})
      on conflict (organization_id, month) do update set tokens = model_usage.tokens + excluded.tokens`.execute(this.service.db);
  }
}

/** Days before yesterday limit nothing. */
export async function sweepModelUsage({ db }: Pick<Service, "db">): Promise<void> {
  await db.deleteFrom("model_usage_days").where("day", "<", sql<Date>`${today} - 1`).execute();
}

const today = sql<Date>`(clock_timestamp() at time zone 'UTC')::date`;
const thisMonth = sql<Date>`date_trunc('month', clock_timestamp() at time zone 'UTC')::date`;
