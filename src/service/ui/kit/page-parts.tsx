/**
 * Renders parts of pages: head, sections, notes, empty states, facts, metrics, badges, progress, and parts
 * that reload themselves.
 */

import type { ComponentChildren } from "preact";

export interface Crumb {
  label: string;
  href: string;
}

/** Heading of a page. `actions` must contain at most one primary button. */
export function PageHead({
  title,
  lead,
  actions,
  back,
}: {
  title: string;
  lead?: ComponentChildren;
  actions?: ComponentChildren;
  /** Link to the parent page, such as a list. */
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
  children?: ComponentChildren;
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

export function Note({
  kind = "info",
  children,
}: {
  kind?: "info" | "check" | "warning" | "danger";
  children: ComponentChildren;
}) {
  return <div class={`d-note d-note-${kind}`}>{children}</div>;
}

/** Empty state of a list. `title` says that there are no items. `children` explain what to do. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="d-empty">
      <p>{title}</p>
      {children && <div class="d-muted">{children}</div>}
    </div>
  );
}

/** List of names and values. `isWide`: for long values such as IDs. */
export function Facts({
  rows,
  isWide,
}: {
  rows: readonly (readonly [string, ComponentChildren])[];
  isWide?: boolean;
}) {
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
  /** Text below the value, such as a unit, a share or a comparison. */
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

/** A status label. Its meaning must not depend on the color. */
export function Badge({ kind = "plain", children }: { kind?: BadgeKind; children: string }) {
  return <span class={`d-badge d-badge-${kind}`}>{children}</span>;
}

/** Progress bar. `done`: progress in percent. */
export function Progress({ label, done }: { label: string; done: number }) {
  const percent = Math.floor(done);
  return (
    <div class="d-progress">
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        {/* The bar is an SVG because the content security policy forbids inline styles. */}
        <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
          <rect width={percent} height="1" />
        </svg>
      </div>
      <span>{`${percent}%`}</span>
    </div>
  );
}

/**
 * A part of the page that a script reloads until `isFinal` is true. Without scripts, there is a link that
 * reloads the page. Changes of `state` are announced to screen readers.
 */
export function Live({
  id,
  isFinal,
  state,
  every_s = 1,
  children,
}: {
  id: string;
  isFinal: boolean;
  state: string;
  /** Pause between two reloads. */
  every_s?: number;
  children: ComponentChildren;
}) {
  return (
    <div id={id} class="d-live" data-live={isFinal ? undefined : every_s} data-state={state}>
      {children}
      {!isFinal && (
        <p class="d-muted d-no-js">
          <a href="">Refresh</a>
        </p>
      )}
    </div>
  );
}
