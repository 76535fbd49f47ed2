/** Dashboard route of the pages that explain build problems. */

import { notFound } from "../../base/app-error.ts";
import { type ProblemCode, problemCodes } from "../../base/problem-codes.ts";
import { page } from "../ui/dashboard-response.ts";
import { userRoute } from "../ui/route.ts";
import { ProblemMeaning } from "./problem-view.tsx";

export const problemRoutes = [
  userRoute("GET /problems/:code", "showProblem", async ({ params }) => {
    const code = params.code!;
    if (!Object.hasOwn(problemCodes, code)) throw notFound();
    return page(problemCodes[code as ProblemCode].title, <ProblemMeaning code={code as ProblemCode} />);
  }),
];
