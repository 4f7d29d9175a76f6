// Converts a question and its decision to the output fields of the answer.
import type { Decision } from "@robots-stream/core";
import type { OriginState } from "../origins/origin-state.ts";
import type { Answer } from "../formats/types.ts";
import type { Question } from "../questions/questions.ts";

/** The agent, dialect and kind of a question as output fields. A writer omits the dialect unless `dialects` was given. */
export function whoOf({ agent, dialect, kind }: Question): Pick<Answer, "agent" | "dialect" | "kind"> {
  return kind === undefined ? { agent, dialect } : { agent, dialect, kind };
}

/**
 * The output fields of a decision. In an answer about an unknown crawler, `because` is "unknown-crawler", except for a request for
 * /robots.txt, which every crawler may fetch. `rule`, `line` and `code` are as in other answers; `group` is also present when it is the
 * crawler's own name.
 */
export function answerOf(question: Question, state: Pick<OriginState, "origin" | "code">, decision: Decision): Answer {
  const answer = answerOfKnown(question, state, decision);
  if (question.isUnknown !== true || answer.because === "robots-txt") return answer;
  const { agent, dialect, kind, allowed, because: _because, ...rest } = answer;
  const who = { agent, ...(dialect === undefined ? {} : { dialect }), ...(kind === undefined ? {} : { kind }) };
  const group = "productToken" in decision ? { group: decision.productToken } : {};
  return { ...who, allowed, because: "unknown-crawler", ...group, ...rest };
}

function answerOfKnown(question: Question, state: Pick<OriginState, "origin" | "code">, decision: Decision): Answer {
  const { allowed, because } = decision;
  const { origin, code } = state;
  const who = whoOf(question);
  if (because === "unavailable" || because === "unreachable") return { ...who, allowed, because, code, origin };
  if (because !== "rule" && because !== "no-rule") return { ...who, allowed, because, origin };
  const { productToken } = decision;
  const chosen = { ...who, allowed, because, ...(productToken === question.agent ? {} : { group: productToken }) };
  if (because !== "rule") return { ...chosen, origin };
  const { type, pattern, line } = decision.rule;
  return { ...chosen, rule: pattern === "" ? `${type}:` : `${type}: ${pattern}`, line, origin };
}
