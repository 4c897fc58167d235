const { appField, countryField, parseApp } = require('../lib/apps')
const { apiUrl } = require('../lib/requests')
const { SENTIMENTS, SEVERITIES, THEMES } = require('../lib/review-filters')
const sample = require('../samples/review.json')

const RESULTS_MAX = 50

/** Fields that the API takes as they are. */
const PLAIN = ['country', 'text', 'stars', 'sentiment', 'severity', 'theme', 'language', 'app_version']
const FLAGS = ['is_bug_report', 'is_feature_request']

module.exports = {
  key: 'find_review',
  noun: 'Review',
  display: {
    label: 'Find Review',
    description: 'Finds the newest reviews that match, or the review with a fingerprint.',
  },
  operation: {
    inputFields: [
      {
        key: 'fingerprint',
        label: 'Fingerprint',
        type: 'string',
        required: false,
        helpText: 'Finds exactly this review. The other fields are then ignored.',
      },
      { ...appField, required: false, search: 'find_app.id' },
      countryField,
      {
        key: 'text',
        label: 'Text',
        type: 'string',
        required: false,
        helpText: 'Each word must occur in title, text, author, English summary or requested feature.',
      },
      {
        key: 'stars',
        label: 'Stars',
        type: 'string',
        required: false,
        placeholder: '1,2',
        helpText: 'One or more numbers, separated by commas.',
      },
      { key: 'sentiment', label: 'Sentiment', type: 'string', required: false, choices: SENTIMENTS },
      { key: 'theme', label: 'Theme', type: 'string', required: false, choices: THEMES },
      { key: 'severity', label: 'Severity', type: 'string', required: false, choices: SEVERITIES },
      {
        key: 'language',
        label: 'Language',
        type: 'string',
        required: false,
        placeholder: 'en',
        helpText: 'Language of the text, two letters.',
      },
      { key: 'app_version', label: 'App Version', type: 'string', required: false },
      { key: 'is_bug_report', label: 'Is Bug Report', type: 'boolean', required: false },
      { key: 'is_feature_request', label: 'Is Feature Request', type: 'boolean', required: false },
    ],
    perform: async (z, bundle) => {
      const { fingerprint } = bundle.inputData
      const found = fingerprint
        ? await byFingerprint(z, bundle, String(fingerprint).trim())
        : await byFilter(z, bundle)
      // Zapier identifies results by `id`.
      return found.map((review) => ({ id: review.fingerprint, ...review }))
    },
    sample,
  },
}

async function byFingerprint(z, bundle, fingerprint) {
  const url = apiUrl(bundle, `/reviews/${encodeURIComponent(fingerprint)}`)
  const response = await z.request({ url, skipThrowForStatus: true })
  if (response.status === 404) return []
  response.throwForStatus()
  const { enriched_by, enrichment_failure, events, triage, ...review } = response.data
  const { notes, ...listed } = triage
  return [{ ...review, triage: listed }]
}

async function byFilter(z, { inputData, ...bundle }) {
  const given = (key) => inputData[key] !== undefined && inputData[key] !== null && inputData[key] !== ''
  const params = { limit: RESULTS_MAX }
  for (const key of PLAIN) if (given(key)) params[key] = inputData[key]
  for (const key of FLAGS) if (given(key)) params[key] = String(inputData[key])
  if (given('app')) Object.assign(params, parseApp(z, inputData.app))
  const { data } = await z.request({ url: apiUrl(bundle, '/reviews'), params })
  return data.data
}
