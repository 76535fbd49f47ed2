/**
 * Selects the language model for a question: the project's own or the service's. Selects none if the model
 * keeps failing, or a token limit is reached.
 */

import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { limits } from "../../base/limits.ts";
import { type LanguageModel, type ModelSettings, openLanguageModel } from "../../io/language-model.ts";
import type { Service } from "../core/service.ts";
import type { AssistantSettings, Plan } from "../core/tables.ts";

/** Maximum number of tokens per organization and month for the service's model, by plan. */
const modelTokens = { free: 1_000_000, pro: 20_000_000, enterprise: 200_000_000 };
/**
 * Maximum number of tokens per site and day: by plan for the service's model, and `own` for the site's own
 * model.
 */
const modelTokensOfDay = { free: 100_000, pro: 2_000_000, enterprise: 20_000_000, own: 20_000_000 };

export interface AssistantModelOptions {
  /** The service's model; undefined if there is none. */
  settings: ModelSettings | undefined;
  timeout_s: number;
  /** Receives errors that readers don't see. */
  report(error: unknown): void;
}

/** A model that can be used now. */
export interface AvailableModel {
  model: LanguageModel;
  /** Counts a failure. After several failures in a row, the model is paused. */
  failed(): void;
  /** Resets the number of failures. */
  answered(): void;
  /** Counts tokens toward the limits. */
  used(tokens: number): Promise<void>;
}

/** Site that a question is for. */
export interface AssistantSite {
  organization: { id: string; plan: Plan };
  projectId: string;
  settings: AssistantSettings | null;
}

interface LoadedModel {
  model: LanguageModel;
  failures: number;
  pausedUntil_ms: number;
}

/** Maximum number of cached model clients. */
const loaded_count = 200;

export class Models {
  private readonly service: Pick<Service, "db">;
  private readonly options: AssistantModelOptions;
  private readonly loaded = new LRUCache<string, LoadedModel>({ max: loaded_count });

  constructor(service: Pick<Service, "db">, options: AssistantModelOptions) {
    this.service = service;
    this.options = options;
    // Loads the model's client library at the start, so that the first reader doesn't wait for it.
    if (options.settings) this.open(options.settings, false);
  }

  /**
   * Returns the model for a site. Undefined if there is none, if it is paused after failures, or if the
   * site's daily or the organization's monthly token limit is reached.
   */
  async of({ organization, projectId, settings: own }: AssistantSite): Promise<AvailableModel | undefined> {
    const settings = own?.model ?? this.options.settings;
    if (!settings) return undefined;
    const isOwn = own?.model !== undefined;
    const cached = this.open(settings, isOwn);
    if (Date.now() < cached.pausedUntil_ms) return undefined;

    // A project's own model has only a daily limit, as protection against high costs.
    const ofDay = modelTokensOfDay[isOwn ? "own" : organization.plan];
    if (await this.isUsedUp({ organization: isOwn ? undefined : organization, projectId, ofDay }))
      return undefined;

    return {
      model: cached.model,
      failed() {
        cached.failures++;
        if (cached.failures >= limits.modelFailures_count)
          cached.pausedUntil_ms = Date.now() + limits.modelPause_ms;
      },
      answered() {
        cached.failures = 0;
      },
      used: async (tokens) => {
        await this.addTokensOfDay(projectId, tokens);
        if (!isOwn) await this.addTokensOfMonth(organization.id, tokens);
      },
    };
  }

  private open(settings: ModelSettings, isUntrusted: boolean): LoadedModel {
    const key = JSON.stringify([isUntrusted, settings]);
    const cached = this.loaded.get(key) ?? {
      model: openLanguageModel(settings, { timeout_s: this.options.timeout_s, isUntrusted }),
      failures: 0,
      pausedUntil_ms: 0,
    };
    this.loaded.set(key, cached);
    return cached;
  }

  /**
   * Whether a token limit is reached. False if the database is unavailable, so that questions are still
   * answered.
   */
  private async isUsedUp({
    organization,
    projectId,
    ofDay,
  }: {
    organization: AssistantSite["organization"] | undefined;
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
      return (row?.tokens ?? 0) >= modelTokens[organization.plan];
    } catch (error) {
      this.options.report(error);
      return false;
    }
  }

  private async addTokensOfDay(projectId: string, tokens: number): Promise<void> {
    await sql`
      insert into model_usage_days (project_id, day, tokens) values (${projectId}, ${today}, ${tokens})
      on conflict (project_id, day) do update set tokens = model_usage_days.tokens + excluded.tokens`.execute(
      this.service.db,
    );
  }

  private async addTokensOfMonth(organizationId: string, tokens: number): Promise<void> {
    await sql`
      insert into model_usage (organization_id, month, tokens) values (${organizationId}, ${thisMonth}, ${tokens})
      on conflict (organization_id, month) do update set tokens = model_usage.tokens + excluded.tokens`.execute(
      this.service.db,
    );
  }
}

/** Deletes daily token counts that are older than yesterday. */
export async function sweepModelUsage({ db }: Pick<Service, "db">): Promise<void> {
  await db.deleteFrom("model_usage_days").where("day", "<", sql<Date>`${today} - 1`).execute();
}

const today = sql<Date>`(clock_timestamp() at time zone 'UTC')::date`;
const thisMonth = sql<Date>`date_trunc('month', clock_timestamp() at time zone 'UTC')::date`;
