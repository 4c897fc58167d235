import type { Symptoms } from './symptoms.ts'

/** The chance that a text reports something that one ticket could fix or build, from 0 to 1. */
export type Concreteness = (bug: number, request: number, text: string, symptoms: Symptoms) => number

/**
 * The labels "bug" and "request" also fit bare verdicts ("does not work"), which belong to no problem. Those are short and name no part of
 * the app. Weights of a logistic regression (packages/language/docs/grouping.md, Concreteness).
 */
const WEIGHTS = { bug: 0.45, request: 0.35, length: 0.45, thing: 0.28, fault: 0.7, bias: -1.7 }
/** More symptoms than this are no more evidence. */
const SYMPTOMS_MAX = 3

export const concretenessOf: Concreteness = (bug, request, text, { things, faults }) =>
  1 /
  (1 +
    Math.exp(
      -(
        WEIGHTS.bias +
        WEIGHTS.bug * logit(bug) +
        WEIGHTS.request * logit(request) +
        WEIGHTS.length * Math.log(1 + text.length) +
        WEIGHTS.thing * Math.min(SYMPTOMS_MAX, things.length) +
        WEIGHTS.fault * Math.min(SYMPTOMS_MAX, faults.length)
      ),
    ))

function logit(p: number): number {
  return Math.log((p + 1e-4) / (1 - p + 1e-4))
}
