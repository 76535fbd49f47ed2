import type { ComponentChild, ComponentChildren } from "preact";
import type { SiteMessages } from "../../i18n/messages.ts";

export interface SwitchOption {
  label: string;
  /** Options may share a panel. */
  panel: number;
}

interface SwitchProps {
  class?: string;
  /** Content before the select box: a heading or text. */
  head?: ComponentChildren;
  label: string;
  options: readonly SwitchOption[];
  /** Between the head and the panels. */
  children?: ComponentChildren;
  /** Content, and a title that is shown without scripts. */
  panels: readonly { title: ComponentChildren; children: ComponentChildren }[];
}

/**
 * Panels of which a select box shows one; without scripts all are shown. It needs no initialization, so it also works
 * in content that is loaded later. Links into a panel open it, as in tabs.
 */
export function Switch({ class: name, head, label, options, panels, children }: SwitchProps) {
  return (
    <div class={name ? `o-switch ${name}` : "o-switch"} data-tabs="">
      <div class="o-switch-head">
        {head}
        <select class="o-pick o-js" data-switch="" aria-label={label}>
          {options.map((option) => (
            <option value={String(option.panel)}>{option.label}</option>
          ))}
        </select>
      </div>
      {children}
      {panels.map((panel, index) => (
        <div class="o-tab-panel" data-off={index === 0 ? undefined : ""}>
          <p class="o-tab-title">{panel.title}</p>
          {panel.children}
        </div>
      ))}
    </div>
  );
}

/** The anchor link of a heading or field. */
export function anchorLink(messages: SiteMessages, id: string, name: string): ComponentChild {
  return <a class="o-anchor" href={`#${encodeURI(id)}`} aria-label={`${messages.linkToSection}: ${name}`} />;
}
