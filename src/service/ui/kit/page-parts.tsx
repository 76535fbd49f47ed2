/** What pages are made of: a head, sections, notes, facts, figures, and what stands where a list is empty. */
import type { ComponentChildren } from "preact";

export interface Crumb {
  label: string;
  href: string;
}

/** One primary action at most stands in `actions`. */
export function PageHead({
  title,
  lead,
  actions,
  back,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  /** The list that this page is one of. */
  back?: Crumb;
}) {
  return (
    <header class="d-head">
      <div>
        {back && (
          <a class="d-back" href={back.href}>
            ← {back.label}
          </a>
        )}
        <h1>{title}</h1>
        {lead && <p class="d-lead">{lead}</p>}
      </div>
      {actions && <div class="d-actions">{actions}</div>}
    </header>
  );
}

export function Section({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  return (
    <section class="d-section">
      <header>
        <h2>{title}</h2>
        {actions && <div class="d-actions">{actions}</div>}
      </header>
      {lead && <p class="d-muted">{lead}</p>}
      {children}
    </section>
  );
}

export function Note({ kind = "info", children }: { kind?: "info" | "check" | "warning" | "danger"; children: ComponentChildren }) {
  return <div class={`d-note d-note-${kind}`}>{children}</div>;
}

/** Where a list has nothing: why, and what to do next. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="d-empty">
      <p>{title}</p>
      {children && <div class="d-muted">{children}</div>}
    </div>
  );
}

/** Names and values; wide ones such as ids. */
export function Facts({ rows, isWide }: { rows: readonly (readonly [string, ComponentChildren])[]; isWide?: boolean }) {
  return (
    <dl class={isWide ? "d-facts d-facts-wide" : "d-facts"}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export interface MetricTile {
  label: string;
  value: string;
  /** What it is of, or how it compares. */
  hint?: string;
  href?: string;
}

export function MetricTiles({ tiles }: { tiles: readonly MetricTile[] }) {
  return (
    <ul class="d-figures">
      {tiles.map(({ label, value, hint, href }) => (
        <li key={label}>
          <span>{href === undefined ? label : <a href={href}>{label}</a>}</span>
          <strong>{value}</strong>
          {hint && <small>{hint}</small>}
        </li>
      ))}
    </ul>
  );
}

export type BadgeKind = "plain" | "info" | "check" | "warning" | "danger";

/** A state, by its word and then by its colour. */
export function Badge({ kind = "plain", children }: { kind?: BadgeKind; children: string }) {
  return <span class={`d-badge d-badge-${kind}`}>{children}</span>;
}

/** `done`: percent. */
export function Progress({ label, done }: { label: string; done: number }) {
  const percent = Math.floor(done);
  return (
    <div class="d-progress">
      <div role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
        {/* The style sheet has no width of its own for each percent: a picture does, and needs no inline style. */}
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width={percent} height="1" />
        </svg>
      </div>
      <span>{percent} %</span>
    </div>
  );
}

/**
 * A part of the page that its script asks for again until it says that it is final. Without script there is a link.
 * `state` is said to screen readers when it changes.
 */
export function Live({ id, isFinal, state, children }: { id: string; isFinal: boolean; state: string; children: ComponentChildren }) {
  return (
    <div id={id} class="d-live" data-live={isFinal ? undefined : ""} data-state={state}>
      {children}
      {!isFinal && (
        <p class="d-muted d-no-js">
          <a href="">Look again</a>
        </p>
      )}
    </div>
  );
}
