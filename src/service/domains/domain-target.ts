import { isIP } from "node:net";
import { defaultHost, type ServiceSettings } from "../core/service.ts";

/** Target that the DNS records of a project's domains must point to. */
export interface DomainTarget {
  /** Value of a CNAME record. */
  host: string;
  /** Values of A and AAAA records. Empty if the operator configured none. */
  addresses: readonly string[];
}

/**
 * Returns the target, based on the operator's `domainTargets`. If they contain no host name, the host is the
 * site's default host.
 */
export function domainTarget(
  settings: Pick<ServiceSettings, "sitesDomain" | "domainTargets">,
  subdomain: string,
): DomainTarget {
  const { domainTargets = [] } = settings;
  return {
    host: domainTargets.find((target) => !isIP(target)) ?? defaultHost(settings, subdomain),
    addresses: domainTargets.filter((target) => isIP(target)),
  };
}
