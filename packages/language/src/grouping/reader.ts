import { createReader, type ReportOf } from '../engine.ts'
import { concretenessOf } from './concrete.ts'
import type { Report } from './similarity.ts'
import { loadSymptoms } from './symptoms.ts'
import { loadWhitener } from './vector.ts'

const WHITENING = new URL('../../model/whitening.bin', import.meta.url)

/** The engine that also makes the reports of grouping. */
export function createReviewReader() {
  const whiten = loadWhitener(WHITENING)
  const symptomsIn = loadSymptoms()
  const reportOf: ReportOf<Omit<Report, 'id'>> = (text, evidence, { bug, request }) => ({
    ...{ text, vector: whiten(evidence) },
    concreteness: concretenessOf(bug, request, text, symptomsIn(text)),
  })
  return createReader(reportOf)
}
