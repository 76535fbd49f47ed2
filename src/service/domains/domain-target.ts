import { isIP } from "node:net";
import { defaultHost, type ServiceSettings } from "../core/service.ts";

/** Target that the DNS records of a project's domains must point to. */
export interface DomainTarget {
  /** Value of a CNAME record. */
  host: string;
  /** Values of A and AAAA records. Empty if the operator configured none. */
  addresses: readonly string[];
}

/** The target, from the operator's `domainTargets`. The host is the site's default host if the setting contains no host name. */
export function domainTarget(settings: Pick<ServiceSettings, "sitesDomain" | "domainTargets">, subdomain: string): DomainTarget {
  const { domainTargets = [] } = settings;
  return {
    host: domainTargets.find((target) => !isIP(target)) ?? defaultHost(settings, subdomain),
    addresses: domainTargets.filter((target) => isIP(target)),
  };
}
