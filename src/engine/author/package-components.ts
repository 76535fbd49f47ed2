/** Finds replacements for components that author code imports from packages. */

import { element, isComponentName, type Props } from "../content.ts";
import { Snippet } from "./values.ts";

/**
 * Icon packages: the prefix of the icon's name in Octavo, and the parts of an exported name that aren't part
 * of the icon's name.
 */
const iconPackages: readonly { specifier: RegExp; library: string; affix: RegExp }[] = [
  { specifier: /^lucide-(?:react|preact)(?:\/|$)/, library: "lucide", affix: /^Lucide(?=[A-Z])|Icon$/g },
  { specifier: /^@tabler\/icons-(?:react|preact)(?:\/|$)/, library: "tabler", affix: /^Icon(?=[A-Z])/g },
  { specifier: /^@heroicons\/react(?:\/|$)/, library: "lucide", affix: /Icon$/g },
  { specifier: /^react-icons\/fa6?$/, library: "fontawesome", affix: /^Fa(?:Reg)?(?=[A-Z\d])/g },
  { specifier: /^react-icons\/lu$/, library: "lucide", affix: /^Lu(?=[A-Z\d])/g },
  { specifier: /^react-icons\/tb$/, library: "tabler", affix: /^Tb(?=[A-Z\d])/g },
  { specifier: /^react-icons\/\w+$/, library: "lucide", affix: /^[A-Z][a-z](?:Outline)?(?=[A-Z\d])/g },
];

/**
 * Returns what replaces a component of a package: the built-in component with its name or its local name, an
 * icon, or the local name of an unknown component. Undefined if the import isn't a component.
 */
export function componentOfPackage(
  specifier: string,
  imported: string,
  local: string,
  builtIns: ReadonlySet<string>,
): string | Snippet | undefined {
  const name = imported === "default" ? (specifier.split("/").at(-1) ?? local) : imported;
  const icons = iconPackages.find((known) => known.specifier.test(specifier));
  if (icons && isComponentName(local)) {
    const icon = `${icons.library}:${kebabCase((imported === "default" ? local : imported).replace(icons.affix, ""))}`;
    return new Snippet((props, children) =>
      children.length && builtIns.has(local)
        ? [element(local, props, children)]
        : [element("Icon", iconProps(icon, props)), ...children],
    );
  }
  if (builtIns.has(name)) return name;
  return isComponentName(local) ? local : undefined;
}

function iconProps(icon: string, { size, color, className, style }: Props): Props {
  return {
    icon,
    ...(size ? { size } : {}),
    ...(color ? { color } : {}),
    ...(className ? { className } : {}),
    ...(style ? { style } : {}),
  };
}

function kebabCase(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1-$2")
    .replace(/([A-Za-z])(\d)/g, "$1-$2")
    .toLowerCase();
}
