/** Which model answers an organization's questions, and whether it should be asked at all right now. */
import { sql } from "kysely";
import { limits } from "../../base/limits.ts";
import { type LanguageModel, type ModelSettings, openLanguageModel } from "../../io/language-model.ts";
import type { Service } from "../service.ts";
import type { AssistantSettings, Plan } from "../tables.ts";

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
  private readonly opened = new Map<string, Opened>();

  constructor(service: Pick<Service, "db">, options: ModelOptions) {
    this.service = service;
    this.options = options;
    // The libraries take a moment to load: not one of the first reader's.
    if (options.settings) this.open(options.settings, false);
  }

  /** Undefined when there is none, when it failed over and over a moment ago, or when the month's tokens are used up. */
  async of(organization: { id: string; plan: Plan }, own: AssistantSettings["model"]): Promise<ReadyModel | undefined> {
    const settings = own ?? this.options.settings;
    if (!settings) return undefined;
    const held = this.open(settings, own !== undefined);
    if (Date.now() < held.pausedUntil_ms) return undefined;
    // What a project's own model costs is the project's own affair.
    if (!own && (await this.isUsedUp(organization))) return undefined;
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
        if (!own) await this.addTokens(organization.id, tokens);
      },
    };
  }

  private open(settings: ModelSettings, isStranger: boolean): Opened {
    const key = JSON.stringify([isStranger, settings]);
    const held = this.opened.get(key) ?? {
      model: openLanguageModel(settings, { timeout_s: this.options.timeout_s, isStranger }),
      failures: 0,
      pausedUntil_ms: 0,
    };
    this.opened.delete(key);
    this.opened.set(key, held);
    if (this.opened.size > opened_count) this.opened.delete(this.opened.keys().next().value!);
    return held;
  }

  /** Whom a busy database cannot tell answers one question more. */
  private async isUsedUp({ id, plan }: { id: string; plan: Plan }): Promise<boolean> {
    try {
      const row = await this.service.db
        .selectFrom("model_usage")
        .select("tokens")
        .where("organization_id", "=", id)
        .where("month", "=", thisMonth)
        .executeTakeFirst();
      return (row?.tokens ?? 0) >= limits.modelTokens[plan];
    } catch (error) {
      this.options.report(error);
      return false;
    }
  }

  private async addTokens(organizationId: string, tokens: number): Promise<void> {
    await sql`
      insert into model_usage (organization_id, month, tokens) values (${organizationId}, ${thisMonth}, ${tokens})
      on conflict (organization_id, month) do update set tokens = model_usage.tokens + excluded.tokens`.execute(this.service.db);
  }
}

const thisMonth = sql<Date>`date_trunc('month', clock_timestamp() at time zone 'UTC')::date`;
