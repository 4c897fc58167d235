import { readFileSync } from 'node:fs'
import {
  SENTIMENTS,
  SEVERITIES,
  type Sentiment,
  type Severity,
  THEMES,
  type Theme,
} from '../../../../src/model/vocabulary.ts'

/** `model.json`: the meaning of the encoder's outputs and the thresholds of the labels. */
export type ModelDescription = {
  readonly version: string
  /** In the order of the outputs of the feature head. */
  readonly features: readonly string[]
  readonly featureAt: ReadonlyMap<string, number>
  readonly thresholds: Thresholds
  readonly biases: Biases
}

/** Probabilities from 0 to 1. Chosen on 235 real reviews that are not in this repository (docs/enrichment.md). */
export type Thresholds = {
  readonly theme: number
  readonly bug: number
  /** For long reviews with five stars: more words give more chances of a false alarm. */
  readonly bugLongHappy: number
  readonly request: number
  /** For a request without a known feature. */
  readonly requestInOwnWords: number
  /** For a request whose feature has at least the probability `sureFeature`: "where is the dark mode?" reads like a complaint. */
  readonly requestForSureFeature: number
  readonly sureFeature: number
  /** No other evidence of a competitor. */
  readonly competitor: number
  /** A product is named. */
  readonly competitorNamed: number
  /** Other apps are mentioned, none by name. */
  readonly competitorOthers: number
  /** A product is named in a sentence that compares. */
  readonly competitorCompared: number
  /** A product of the app's own kind is named. */
  readonly competitorSameKind: number
}

/**
 * Added to the outputs of classes that the encoder finds too rarely or too often: reviews of rare kinds are more frequent in the
 * training data than in stores. Chosen like the thresholds.
 */
export type Biases = {
  readonly sentiment: Readonly<Partial<Record<Sentiment, number>>>
  readonly severity: Readonly<Partial<Record<Severity, number>>>
  /** Replaces `severity` for long reviews with five stars. */
  readonly severityLongHappy: Readonly<Partial<Record<Severity, number>>>
}

/** Probabilities of one text. */
export type Prediction = {
  readonly sentiment: Sentiment
  readonly sentimentP: number
  readonly severity: Severity
  /** Most probable first. */
  readonly themes: readonly { readonly theme: Theme; readonly p: number }[]
  readonly bug: number
  readonly request: number
  readonly competitor: number
  readonly likeliestFeature: { readonly slug: string; readonly p: number }
  readonly feature: (slug: string) => number
}

/** A review whose feature is certain needs less evidence that it asks for it. Praise and faults of a feature stay below both thresholds. */
export function asksForFeature(
  { request, likeliestFeature }: Pick<Prediction, 'request' | 'likeliestFeature'>,
  thresholds: Pick<Thresholds, 'request' | 'requestForSureFeature' | 'sureFeature'>,
): boolean {
  const isSureFeature = likeliestFeature.p >= thresholds.sureFeature
  return request >= (isSureFeature ? thresholds.requestForSureFeature : thresholds.request)
}

export function loadDescription(file: URL): ModelDescription {
  const description: Omit<ModelDescription, 'featureAt'> = JSON.parse(readFileSync(file, 'utf8'))
  return { ...description, featureAt: new Map(description.features.map((slug, index) => [slug, index])) }
}

/**
 * Reads the outputs of the encoder: sentiment, themes, bug, request, severity, competitor, features, in this order. Throws when their
 * number differs from the description. `isLongHappy`: a long review with five stars.
 */
export function predictionOf(
  outputs: Float32Array,
  { features, featureAt, biases }: ModelDescription,
  isLongHappy: boolean,
): Prediction {
  let at = 0
  const take = (count: number) => {
    at += count
    return outputs.subarray(at - count, at)
  }
  const [sentiments, themes, bug, request, severities, competitor, featureOutputs] = [
    take(SENTIMENTS.length),
    take(THEMES.length),
    take(1),
    take(1),
    take(SEVERITIES.length),
    take(1),
    take(features.length),
  ]
  if (at !== outputs.length) throw new Error(`the encoder has ${outputs.length} outputs, not ${at}`)
  const featureP = softmax(featureOutputs)
  const bestFeature = argMax(featureP)
  const sentiment = likeliest(SENTIMENTS, sentiments, biases.sentiment)
  return {
    sentiment,
    sentimentP: softmax(sentiments)[SENTIMENTS.indexOf(sentiment)] ?? 0,
    severity: likeliest(SEVERITIES, severities, isLongHappy ? biases.severityLongHappy : biases.severity),
    themes: THEMES.map((theme, index) => ({ theme, p: sigmoid(themes[index]) })).sort((a, b) => b.p - a.p),
    bug: sigmoid(bug[0]),
    request: sigmoid(request[0]),
    competitor: sigmoid(competitor[0]),
    likeliestFeature: { slug: features[bestFeature] ?? '', p: featureP[bestFeature] ?? 0 },
    feature: (slug) => featureP[featureAt.get(slug) ?? -1] ?? 0,
  }
}

function likeliest<T extends string>(
  classes: readonly [T, ...T[]],
  outputs: Float32Array,
  biases: Readonly<Partial<Record<T, number>>>,
): T {
  return (
    classes[argMax(outputs.map((output, index) => output + (biases[classes[index] ?? classes[0]] ?? 0)))] ??
    classes[0]
  )
}

function sigmoid(output = 0): number {
  return 1 / (1 + Math.exp(-output))
}

function softmax(outputs: Float32Array): Float64Array {
  const most = outputs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  const powers = Float64Array.from(outputs, (output) => Math.exp(output - most))
  const sum = powers.reduce((a, b) => a + b, 0)
  return powers.map((power) => power / sum)
}

function argMax(values: ArrayLike<number>): number {
  let best = 0
  for (let index = 1; index < values.length; index++)
    if ((values[index] ?? 0) > (values[best] ?? 0)) best = index
  return best
}
