import type { ComponentChildren } from "preact";
import type { AuthorProps } from "../html/prop-values.ts";
import { childElements, count, flag, shown, text } from "../html/prop-values.ts";
import type { ComponentDefinition } from "./component.ts";
import { IconImage } from "./icon.tsx";
import { blockAnchor, insidePanel, titledMarkdown } from "./titled-block.ts";

/** One panel of a set of tabs, with the label of its tab. */
export interface TabPanel {
  title: ComponentChildren;
  /** Label of the tab. With `sync`, tabs with equal labels are selected together. */
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
 * A set of tabs. Without scripts, all panels are shown below their titles and the tab row is hidden. With scripts, the
 * style sheet shows only the selected panel, so nothing moves when the script loads.
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
              aria-selected={i === selected ? "true" : "false"}
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

/** One panel of Tabs. Outside of Tabs, it shows its title and content. */
function Tab({ title, label, id, children }: AuthorProps) {
  return (
    <div class="o-tab-alone o-flow" id={text(id)}>
      <p class="o-tab-title">{shown(title) ?? shown(label)}</p>
      {children}
    </div>
  );
}

/** A set of tabs. Elements other than Tab are shown after the panels. */
function Tabs({ defaultTabIndex, sync, borderBottom, children }: AuthorProps) {
  const elements = childElements(children);
  const panels = elements
    .filter((child) => child.type === Tab)
    .map(({ props }, i): TabPanel => {
      const title = shown(props.title) ?? shown(props.label) ?? shown(props.value) ?? String(i + 1);
      return {
        title,
        label: text(props.title) ?? text(props.label) ?? String(i + 1),
        id: text(props.id),
        icon: text(props.icon),
        iconType: text(props.iconType),
        children: props.children,
      };
    });
  if (panels.length === 0) return <>{children}</>;
  return (
    <>
      <TabSet
        panels={panels}
        selected={count(defaultTabIndex, 0, 0, panels.length - 1)}
        sync={flag(sync, true)}
        class={flag(borderBottom) ? "o-tabset o-tabset-border" : "o-tabset"}
      />
      {elements.filter((child) => child.type !== Tab)}
    </>
  );
}

export const tabs: ComponentDefinition = { render: Tabs };

/** Tab under a name of other platforms. Its title can also be in `label`. */
export const tabItem: ComponentDefinition = {
  render: Tab,
  wrapsText: true,
  anchors: { ...blockAnchor, inside: insidePanel },
  markdown: { block: titledMarkdown },
};

export const tab: ComponentDefinition = { ...tabItem, requiredProps: ["title"] };
