import { lazy } from 'react'
import { STORE_NAMES } from '../../../src/contract/console/display-names.ts'
import { TRIAGE_STATUSES } from '../../../src/model/triage.ts'
import { STORES } from '../../../src/model/vocabulary.ts'
import { type ReviewSearch, YES_NO } from '../../data/search.ts'
import { commonTexts } from '../../messages/common.ts'
import { reviewFilterTexts } from '../../messages/reviews.tsx'
import { TRIAGE_STATUS_NAMES, triageTexts } from '../../messages/triage.tsx'
import type { Filter } from '../../ui/FilterChips.tsx'
import { featureName } from '../../util/feature-name.ts'
import {
  ANSWER_OPTIONS,
  LANGUAGE_OPTIONS,
  optionsOf,
  SENTIMENT_OPTIONS,
  SEVERITY_OPTIONS,
  STOREFRONT_OPTIONS,
  THEME_OPTIONS,
} from '../../util/options.ts'
import { dayOf } from '../../util/time.ts'
import { ChosenApp } from './ChosenApp.tsx'
import { ChosenMember } from './ChosenMember.tsx'
import { optionFilter } from './option-filter.tsx'

const AppEditor = lazy(async () => ({ default: (await import('./editors.tsx')).AppEditor }))
const PeriodEditor = lazy(async () => ({ default: (await import('./PeriodEditor.tsx')).PeriodEditor }))
const VersionEditor = lazy(async () => ({ default: (await import('./editors.tsx')).VersionEditor }))
const FeatureEditor = lazy(async () => ({ default: (await import('./editors.tsx')).FeatureEditor }))

const AssigneeEditor = lazy(async () => ({
  default: (await import('./triage-editors.tsx')).AssigneeEditor,
}))
const TagEditor = lazy(async () => ({ default: (await import('./triage-editors.tsx')).TagEditor }))

const STARS = [
  { value: '1,2', label: reviewFilterTexts.stars1And2 },
  { value: '4,5', label: reviewFilterTexts.stars4And5 },
  ...[1, 2, 3, 4, 5].map((stars) => ({ value: String(stars), label: reviewFilterTexts.starCount(stars) })),
]
const BUGS = optionsOf(YES_NO, { true: reviewFilterTexts.bugReports, false: reviewFilterTexts.noBugReport })
const REQUESTS = optionsOf(YES_NO, {
  true: reviewFilterTexts.featureRequests,
  false: reviewFilterTexts.noFeatureRequest,
})

/** Every filter of the review feed, in the order of the menu. A new one is an entry here, and its parameter in `reviewSearch`. */
export const REVIEW_FILTERS: readonly Filter<ReviewSearch>[] = [
  {
    label: reviewFilterTexts.app,
    names: ['store', 'app_id'],
    shown: ({ store, app_id }) => (app_id === undefined ? null : <ChosenApp store={store} appId={app_id} />),
    Editor: AppEditor,
  },
  storeFilter(),
  optionFilter('stars', reviewFilterTexts.stars, STARS),
  optionFilter('answer', reviewFilterTexts.answer, ANSWER_OPTIONS),
  optionFilter('sentiment', reviewFilterTexts.sentiment, SENTIMENT_OPTIONS),
  optionFilter('theme', reviewFilterTexts.theme, THEME_OPTIONS),
  optionFilter('severity', reviewFilterTexts.severity, SEVERITY_OPTIONS),
  optionFilter('is_bug_report', reviewFilterTexts.bugReport, BUGS),
  optionFilter('is_feature_request', reviewFilterTexts.featureRequest, REQUESTS),
  {
    label: reviewFilterTexts.feature,
    names: ['feature_slug'],
    shown: ({ feature_slug }) => (feature_slug === undefined ? null : featureName(feature_slug)),
    Editor: FeatureEditor,
  },
  optionFilter('status', triageTexts.status, optionsOf(TRIAGE_STATUSES, TRIAGE_STATUS_NAMES)),
  {
    label: triageTexts.assignee,
    names: ['assignee'],
    shown: ({ assignee }) => (assignee === undefined ? null : <ChosenMember id={assignee} />),
    Editor: AssigneeEditor,
  },
  {
    label: triageTexts.tag,
    names: ['tag'],
    shown: ({ tag }) => tag ?? null,
    Editor: TagEditor,
  },
  optionFilter('language', reviewFilterTexts.language, LANGUAGE_OPTIONS),
  optionFilter('country', commonTexts.storefront, STOREFRONT_OPTIONS),
  {
    label: reviewFilterTexts.version,
    names: ['app_version'],
    shown: ({ app_version }) => app_version ?? null,
    Editor: VersionEditor,
  },
  {
    label: reviewFilterTexts.published,
    names: ['since', 'until'],
    shown: ({ since, until }) => periodOf(since, until),
    Editor: PeriodEditor,
  },
]

/** Only without an app, which has its store. */
function storeFilter(): Filter<ReviewSearch> {
  const filter = optionFilter('store', reviewFilterTexts.store, optionsOf(STORES, STORE_NAMES), (store) => ({
    store: STORES.find((each) => each === store),
    app_id: undefined,
  }))
  return {
    ...filter,
    shown: (filters) => (filters.app_id === undefined ? filter.shown(filters) : null),
  }
}

function periodOf(since: string | undefined, until: string | undefined): string | null {
  const day = (instant: string) => dayOf(new Date(instant))
  if (since !== undefined) {
    return until === undefined
      ? reviewFilterTexts.sinceDay(day(since))
      : reviewFilterTexts.betweenDays(day(since), day(until))
  }
  return until === undefined ? null : reviewFilterTexts.untilDay(day(until))
}
