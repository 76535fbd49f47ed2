/** A service with sites for the journeys in other browsers, behind a proxy that collects what goes wrong. */

import { generateKeyPairSync } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Static } from "@sinclair/typebox";
import { SignJWT } from "jose";
import { demoApi } from "../../examples/plant-shop/api.ts";
import { changeProject, type SignInSettings } from "../../src/service/projects/contract.ts";
import { root, siteOf, temporaryFolder, writeFiles } from "../engine/build.ts";
import { runCli } from "../engine/run-cli.ts";
import { type ModelServer, startModelServer } from "../service/model-server.ts";
import type { TestService } from "../service/service.ts";
import { newSite, type TestSite, trusting } from "../service/test-sites.ts";
import { listen } from "../shared/listen.ts";
import { openTestService } from "../shared/service.ts";
import { startWatchingProxy, type WatchingProxy } from "./watching-proxy.ts";

export interface JourneySites {
  service: TestService;
  proxy: WatchingProxy;
  model: ModelServer;
  /** Origin of the dashboard. */
  dashboard: string;
  /** Origin of the public site. */
  site: string;
  /** Organization and project of the public site. */
  organization: TestSite["organization"];
  /** Origin of a site with a password. */
  withPassword: string;
  /** Origin of a site whose readers sign in on a login page. */
  withLogin: string;
  /** Origin of the API in the public site's playground. */
  api: string;
  /** URL of a page of the public site as a file. */
  file(page: string, hash?: string): string;
  stop(): Promise<void>;
}

export const sitePassword = "open sesame";

const work = temporaryFolder();
const page = (title: string, text: string) => `---\ntitle: ${title}\n---\n\n${text}\n`;
const install = `<Tabs><Tab title="npm">npm add kiln</Tab><Tab title="pnpm">pnpm add kiln</Tab></Tabs>

<Accordion title="Behind a proxy">Set the variable of your proxy.</Accordion>

<CodeGroup>

\`\`\`bash Shell
kiln --fire
\`\`\`

\`\`\`js Script
kiln.fire();
\`\`\`

</CodeGroup>

${["Clay", "Glaze", "Firing"].map((part) => `## ${part}\n\n${`${part} takes a day. `.repeat(60)}\n`).join("\n")}`;

const pages = (api: string) => ({
  "index.mdx": page(
    "Home",
    "Kiln fires pots.\n\n$$a^2 + b^2 = c^2$$\n\n```mermaid\ngraph LR; Clay-->Pot\n```",
  ),
  "install.mdx": page("Install", install),
  "v1/install.mdx": page("Install version one", "Older text."),
  "de/index.mdx": page("Start", "Kiln brennt Töpfe."),
  "de/install.mdx": page("Installieren", "Neuer Text."),
  "plants.yaml": readFileSync(path.join(root, "docs/openapi/plants.yaml"), "utf8").replaceAll(
    "4010",
    new URL(api).port,
  ),
});
const settings = {
  feedback: { thumbsRating: true },
  navigation: {
    languages: [
      {
        language: "en",
        versions: [
          {
            version: "v2",
            groups: [
              { group: "Start", pages: ["index", "install"] },
              { group: "API", openapi: "plants.yaml" },
            ],
          },
          { version: "v1", pages: ["v1/install"] },
        ],
      },
      { language: "de", pages: ["de/index", "de/install"] },
    ],
  },
};

/** A login page that signs every reader in and returns a token in the fragment of the URL. */
function loginPage() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const server = createServer(async (request, response) => {
    const { searchParams } = new URL(request.url!, "http://login");
    const back = new URL(searchParams.get("redirect_uri")!);
    const token = await new SignJWT({ state: searchParams.get("state") })
      .setProtectedHeader({ alg: "ES256" })
      .setAudience(back.host)
      .setExpirationTime("1m")
      .sign(privateKey);
    response.writeHead(302, { location: `${back}#token=${token}` }).end();
  });
  return { server, publicKey: publicKey.export({ type: "spki", format: "pem" }).toString() };
}

export async function openJourneySites(): Promise<JourneySites> {
  const proxy = await startWatchingProxy();
  const model = await startModelServer();
  const login = loginPage();
  const api = demoApi();
  const apiUrl = (await listen(api)).replace("127.0.0.1", "localhost");
  const service = await openTestService({
    background: true,
    env: {
      ...trusting,
      OCTAVO_URL: `http://localhost:${proxy.port}`,
      OCTAVO_OUTBOUND_ALLOW: "localhost:1024-65535",
      OCTAVO_MODEL_PROVIDER: "openai-compatible",
      OCTAVO_MODEL_BASE_URL: model.url,
      OCTAVO_MODEL_API_KEY: "key",
      OCTAVO_MODEL_NAME: "test-model",
    },
  });
  proxy.forwardTo(service.port);

  const files = siteOf(pages(apiUrl), settings);
  const folder = writeFiles(path.join(work, "docs"), files);
  await runCli(["build", folder, "--output", path.join(work, "out")]);
  const publish = async (sources: typeof files, signIn?: Static<typeof SignInSettings>) => {
    const site = await newSite(service, sources as Record<string, string>);
    const { client, projectId } = site.organization;
    if (signIn) await client(changeProject, { params: { projectId }, body: { signIn } });
    return { ...site, origin: `http://${site.host}:${proxy.port}` };
  };
  const site = await publish(files);
  const plain = siteOf({ "index.mdx": page("Home", "Only for readers.") });
  const { origin: withPassword } = await publish(plain, { mode: "password", password: sitePassword });
  const { origin: withLogin } = await publish(plain, {
    mode: "jwt",
    loginUrl: `${await listen(login.server)}/`,
    publicKey: login.publicKey,
  });
  return {
    service,
    proxy,
    model,
    dashboard: `http://localhost:${proxy.port}`,
    site: site.origin,
    organization: site.organization,
    withPassword,
    withLogin,
    api: apiUrl,
    file: (name, hash = "") => pathToFileURL(path.join(work, "out", name)).href + hash,
    async stop() {
      proxy.stop();
      for (const server of [api, login.server]) {
        server.closeAllConnections();
        server.close();
      }
      await service.stop();
      await model.stop();
    },
  };
}
