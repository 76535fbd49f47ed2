/** Dashboard routes for an organization's API keys: list, create, revoke. */

import { AppError, fieldThat, invalid } from "../../base/app-error.ts";
import { tellOwner } from "../accounts/tell-owner.ts";
import { requireUnlimited } from "../accounts/unconfirmed.ts";
import { idempotent } from "../core/idempotency.ts";
import { mayActAs } from "../core/identity.ts";
import { quotedName } from "../core/quoted-text.ts";
import type { Service } from "../core/service.ts";
import { validate } from "../http/read-body.ts";
import { type DashboardResponse, page, redirect } from "../ui/dashboard-response.ts";
import { organizationHref } from "../ui/dashboard-urls.ts";
import { idempotentForm, newIdempotencyKey } from "../ui/idempotent-form.ts";
import { Confirm } from "../ui/kit/confirm.tsx";
import type { FormErrors } from "../ui/kit/form-errors.tsx";
import { field } from "../ui/read-form.ts";
import { requireConfirmation } from "../ui/require-confirmation.ts";
import { organizationRoute } from "../ui/route.ts";
import type { MemberVisit } from "../ui/visit.ts";
import { createKey } from "./contract.ts";
import { createApiKey, getApiKey, listApiKeys, type NewKey, revokeApiKey } from "./keys.ts";
import { ApiKeys, KeyCreated, keyExpiries } from "./keys-view.tsx";

export const apiKeyRoutes = [
  organizationRoute("GET /keys", "listKeys", "viewer", (visit) => show(visit)),
  organizationRoute("POST /keys", "createKey", "editor", async (visit) => create(visit), {
    showErrors: show,
  }),
  organizationRoute("GET /keys/:keyId/revoke", "askToRevokeKey", "editor", (visit) => askToRevoke(visit)),
  organizationRoute(
    "POST /keys/:keyId/revoke",
    "revokeKey",
    "editor",
    async (visit) => {
      const { service, member, params, form } = visit;
      const { name } = await getApiKey(service, member.organizationId, params.keyId!);
      requireConfirmation(form, name.trim());
      await revokeApiKey(service, member.organizationId, params.keyId!);
      return redirect(organizationHref(member.organizationId, "/keys"), "key-revoked");
    },
    { showErrors: askToRevoke },
  ),
];

async function create(visit: MemberVisit): Promise<DashboardResponse> {
  const { service, scope, session, member, form, recorded, projects } = visit;
  requireUnlimited(session);
  const newKey = readKeyForm(form);

  // The stored result contains the key's ID but not the key.
  let secret: string | undefined;
  const { answer: keyId } = await idempotent(
    service,
    scope,
    idempotentForm("dashboard createKey", form),
    async () => {},
    async (tx) => {
      const created = await createApiKey({ ...service, db: tx }, scope.organizationId, newKey, {
        creator: { id: session.user.id, role: member.role },
      });
      secret = created.key;
      return created.row.id;
    },
  );

  recorded.keyId = keyId;

  if (secret === undefined)
    throw new AppError("conflict", "This key was already created and shown", {
      details: ["If you didn't copy it, revoke it and create a new one."],
    });

  tellOwner(
    service,
    session.user,
    `The API key ${quotedName(newKey.name)} was created with your Octavo account.`,
  );

  const subdomain = projects.find(({ id }) => id === newKey.projectId)?.subdomain;
  return page(
    "Key created",
    <KeyCreated
      organizationId={scope.organizationId}
      name={newKey.name}
      secret={secret}
      groups={newKey.groups ?? []}
      examples={examplesOf(service, secret, subdomain)}
    />,
  );
}

function readKeyForm(form: URLSearchParams): NewKey {
  const type = field(form, "type");
  const expires = field(form, "expires");
  const expiries = keyExpiries.map(({ value }) => value);
  if (!expiries.includes(expires))
    throw invalid("Invalid key", fieldThat("expires", `must be one of ${expiries.join(", ")}`));

  const allowedIps = (form.get("allowedIps") ?? "").split(/\s+/).filter(Boolean);
  const groups = field(form, "groups")
    .split(/\s*,\s*/)
    .filter(Boolean);

  const newKey = {
    name: field(form, "name"),
    ...(type === "assistant"
      ? { type, projectId: field(form, "projectId"), groups }
      : { type, scopes: form.getAll("scopes") }),
    ...(expires === "never"
      ? {}
      : { expiresAt: new Date(Date.now() + Number(expires) * 24 * 3_600_000).toISOString() }),
    ...(allowedIps.length ? { allowedIps } : {}),
  };

  return validate(createKey.body.schema, newKey, "Invalid key");
}

/**
 * Returns example commands for a key. `subdomain`: subdomain of an assistant key's project. Undefined for an
 * admin key.
 */
function examplesOf({ settings: { url } }: Service, key: string, subdomain: string | undefined) {
  const header = `-H "Authorization: Bearer ${key}"`;
  if (subdomain === undefined)
    return [
      { label: "Try it", text: `curl -fsS "${url}/v1/projects" \\\n  ${header}` },
      { label: "Set up octavo deploy", text: `export OCTAVO_URL="${url}"\nexport OCTAVO_API_KEY="${key}"` },
    ];
  const body = `-H "Content-Type: application/json" -d '{"query": "install"}'`;
  return [
    { label: "Try it", text: `curl -fsS "${url}/v1/search/${subdomain}" \\\n  ${header} \\\n  ${body}` },
  ];
}

async function show(visit: MemberVisit, errors?: FormErrors) {
  const { service, member, form, projects } = visit;
  const names = new Map(projects.map(({ id, name }) => [id, name]));
  const isSent = form.has("name");
  return page(
    "API keys",
    <ApiKeys
      organizationId={member.organizationId}
      projects={projects}
      keys={(await listApiKeys(service, member.organizationId)).map((row) => ({
        id: row.id,
        name: row.name,
        type: row.type,
        lastFour: row.last_four,
        scopes: row.scopes,
        project: row.project_id === null ? undefined : names.get(row.project_id),
        allowedIps: row.allowed_ips,
        expiresAt: row.expires_at,
        revokedAt: row.revoked_at,
        lastUsedAt: row.last_used_at,
        createdAt: row.created_at,
        creator: row.creator ?? undefined,
        creatorRole: row.creator_role ?? undefined,
        groups: row.groups,
      }))}
      form={
        mayActAs(member.role, "editor")
          ? {
              filled: {
                name: field(form, "name"),
                type: field(form, "type") || (mayActAs(member.role, "admin") ? "admin" : "assistant"),
                projectId: field(form, "projectId"),
                scopes: isSent ? form.getAll("scopes") : ["read", "write"],
                expires: field(form, "expires") || "90",
                allowedIps: form.get("allowedIps") ?? "",
                groups: field(form, "groups"),
              },
              isAdmin: mayActAs(member.role, "admin"),
              idempotencyKey: newIdempotencyKey(service),
            }
          : undefined
      }
      errors={errors}
    />,
  );
}

async function askToRevoke({ service, member, params }: MemberVisit, errors?: FormErrors) {
  const { id, name } = await getApiKey(service, member.organizationId, params.keyId!);
  const list = organizationHref(member.organizationId, "/keys");
  return page(
    "Revoke key",
    <Confirm
      title={`Revoke “${name}”?`}
      name={name.trim()}
      action={`${list}/${id}/revoke`}
      button="Revoke key"
      backTo={list}
      errors={errors}
    >
      The key will stop working immediately. This can't be undone.
    </Confirm>,
  );
}
