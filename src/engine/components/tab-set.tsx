import type { ComponentChildren } from "preact";
import { IconImage } from "./icon-image.tsx";

/** One panel of a set of tabs, with its tab. */
export interface TabPanel {
  title: ComponentChildren;
  /** Text of the option in the select box. With `sync`, tabs with the same label are selected together. */
  label: string;
  id?: string | undefined;
  icon?: string | undefined;
  iconType?: string | undefined;
  children: ComponentChildren;
}

interface TabSetProps {
  panels: readonly TabPanel[];
  selected: number;
  sync: boolean;
  class: string;
  /** Whether to show a select box instead of the tab row. */
  dropdown?: boolean | undefined;
  dropdownLabel?: string | undefined;
}

/**
 * A set of tabs. Without scripts, all panels are shown below their titles and the tab row is hidden. With
 * scripts, the style sheet shows only the selected panel, so nothing moves when the script loads. The script
 * adds the ARIA attributes, because the ids that they refer to would have to be unique among all parts of a
 * page.
 */
export function TabSet({ panels, selected, sync, class: className, dropdown, dropdownLabel }: TabSetProps) {
  return (
    <div class={className} data-tabs={sync ? "sync" : ""}>
      {dropdown ? (
        <select class="o-tab-select o-js" aria-label={dropdownLabel}>
          {panels.map((panel, i) => (
            <option key={i} selected={i === selected}>
              {panel.label}
            </option>
          ))}
        </select>
      ) : (
        <div class="o-tab-list o-js" role="tablist">
          {panels.map((panel, i) => (
            <button
              key={i}
              type="button"
              role="tab"
              data-on={i === selected ? "" : undefined}
              tabIndex={i === selected ? 0 : -1}
              data-label={panel.label}
            >
              <IconImage value={panel.icon} type={panel.iconType} />
              {panel.title}
            </button>
          ))}
        </div>
      )}
      {panels.map((panel, i) => (
        <div
          key={i}
          class="o-tab-panel o-flow"
          id={panel.id}
          role={dropdown ? undefined : "tabpanel"}
          data-off={i === selected ? undefined : ""}
        >
          <p class="o-tab-title">{panel.title}</p>
          {panel.children}
        </div>
      ))}
    </div>
  );
}
