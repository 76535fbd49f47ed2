import type { ComponentChildren } from "preact";

interface SwitchOption {
  label: string;
  /** Index of the option's panel. Options may share a panel. */
  panel: number;
}

interface SwitchProps {
  class?: string;
  /** Content before the select box: a heading or text. */
  head?: ComponentChildren;
  label: string;
  options: readonly SwitchOption[];
  /** Content between the head and the panels. */
  children?: ComponentChildren;
  /** Content of each panel, and a title that is shown without scripts. */
  panels: readonly { title: ComponentChildren; children: ComponentChildren }[];
}

/**
 * A select box that shows one of several panels. Without scripts, all panels are shown. Individual switches
 * need no initialization by scripts, so switches in content that is loaded later also work. A link to content
 * in a panel opens that panel.
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
