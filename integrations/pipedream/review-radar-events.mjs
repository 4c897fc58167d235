import { createHmac, timingSafeEqual } from 'node:crypto'

/** One file without dependencies, as `pd publish` takes it. */

/** Requests that were signed longer ago are rejected: they may be recorded ones. */
const TOLERANCE_S = 300

const STOREFRONTS = {
  au: 'Australia',
  br: 'Brazil',
  ca: 'Canada',
  fr: 'France',
  de: 'Germany',
  in: 'India',
  ie: 'Ireland',
  it: 'Italy',
  jp: 'Japan',
  mx: 'Mexico',
  nl: 'Netherlands',
  kr: 'South Korea',
  es: 'Spain',
  se: 'Sweden',
  gb: 'United Kingdom',
  us: 'United States',
}
const STORE_NAMES = { apple: 'App Store', google: 'Google Play' }

const SENTIMENTS = { positive: 'Positive', neutral: 'Neutral', negative: 'Negative', mixed: 'Mixed' }
const SEVERITIES = { low: 'Low', medium: 'Medium', high: 'High' }
const THEMES = {
  stability_crash: 'Crashes',
  performance: 'Performance',
  battery: 'Battery',
  data_loss: 'Data loss',
  sync: 'Sync',
  login_account: 'Sign-in and account',
  billing_payment: 'Billing and payments',
  refund: 'Refunds',
  pricing_value: 'Price and value',
  ads: 'Ads',
  ui_ux: 'Design and usability',
  onboarding: 'Onboarding',
  bug_general: 'General bugs',
  notifications: 'Notifications',
  privacy_security: 'Privacy and security',
  customer_support: 'Customer support',
  content_quality: 'Content quality',
  compatibility: 'Compatibility',
  localization: 'Localization',
  update_regression: 'Broken by an update',
  praise_general: 'General praise',
  comparison: 'Comparison with other apps',
  other: 'Other',
}

const optionsOf = (labels) => Object.entries(labels).map(([value, label]) => ({ label, value }))
const list = (label, description, labels) => ({
  type: 'string[]',
  label,
  description: `For new reviews: ${description}`,
  optional: true,
  ...(labels ? { options: optionsOf(labels) } : {}),
})
const flag = (label) => ({
  type: 'boolean',
  label,
  description: 'For new reviews. Leave empty for both kinds',
  optional: true,
})

/** The filters of a subscription to reviews. The API has the same names in snake case. */
const REVIEW_FILTERS = {
  keywords: list('Keywords', 'title, text or English summary must contain one of these words or phrases'),
  excludedKeywords: list('Excluded Keywords', 'the review must contain none of them'),
  appVersions: list('App Versions', 'such as 4.2.1, or 4.2.* for all that begin with it'),
  languages: list('Languages', 'languages of the text, two letters each'),
  sentiments: list('Sentiments', 'one of these', SENTIMENTS),
  severities: list('Severities', 'one of these', SEVERITIES),
  themes: list('Themes', 'the review must have one of them', THEMES),
  isBugReport: flag('Is Bug Report'),
  isFeatureRequest: flag('Is Feature Request'),
  mentionsCompetitor: flag('Mentions Competitor'),
  competitors: list('Competitors', 'the review must name one of them'),
}

export default {
  key: 'review_radar-events',
  name: 'New Review, Review Spike, Rating Drop or Recovery (Instant)',
  description:
    'Emits an event when an app gets a new review in the App Store or Google Play, or more negative ones than usual, or when its average rating falls or recovers.',
  version: '0.1.0',
  type: 'source',
  // Delivery is at least once, so an event may arrive twice with the same id.
  dedupe: 'unique',
  props: {
    http: { type: '$.interface.http', customResponse: true },
    db: '$.service.db',
    baseUrl: {
      type: 'string',
      label: 'Address',
      description: 'Address of your Review Radar installation, such as https://radar.example.com',
    },
    token: {
      type: 'string',
      secret: true,
      label: 'API Token',
      description: 'A token with the scopes read and hooks, from the account page of Review Radar',
    },
    eventType: {
      type: 'string',
      label: 'Event',
      options: [
        { label: 'New review', value: 'review.created' },
        { label: 'Rating drop', value: 'rating.dropped' },
        { label: 'Review spike', value: 'reviews.spiked' },
        { label: 'Rating recovery', value: 'rating.recovered' },
      ],
      default: 'review.created',
    },
    app: {
      type: 'string',
      label: 'App',
      description: 'Type a name to search both stores, or enter a value such as apple:310633997',
      useQuery: true,
      async options({ query }) {
        return this.appOptions(query)
      },
    },
    countries: {
      type: 'string[]',
      label: 'Storefronts',
      description: 'Leave empty for every storefront that your account tracks for the app',
      optional: true,
      options: optionsOf(STOREFRONTS),
    },
    minStars: {
      type: 'integer',
      label: 'Minimum Stars',
      description: 'For new reviews',
      optional: true,
      min: 1,
      max: 5,
    },
    maxStars: {
      type: 'integer',
      label: 'Maximum Stars',
      description: 'For new reviews',
      optional: true,
      min: 1,
      max: 5,
    },
    ...REVIEW_FILTERS,
    delta: {
      type: 'string',
      label: 'Falls By',
      description:
        'For rating drops and recoveries: the smallest drop, 0 to 4. 0.1 unless Falls Below is set',
      optional: true,
    },
    deltaWindowHours: {
      type: 'integer',
      label: 'Within Hours',
      description:
        'For rating drops and recoveries: also finds slow slides, as it compares with the highest rating of the last hours. Leave empty to compare with the last rating',
      optional: true,
      min: 1,
      max: 720,
    },
    threshold: {
      type: 'string',
      label: 'Falls Below',
      description:
        'For rating drops and recoveries: the drop is one in which the rating crosses this value downwards, 1 to 5',
      optional: true,
    },
    spikeMinReviews: {
      type: 'integer',
      label: 'Minimum Reviews',
      description:
        'For review spikes: the smallest number of reviews with 1 or 2 stars within an hour. 5 by default',
      optional: true,
      min: 2,
      max: 1000,
    },
    spikeFactor: {
      type: 'string',
      label: 'Times the Usual',
      description:
        'For review spikes: the smallest multiple of the usual number per hour, 1.5 to 100. 3 by default',
      optional: true,
    },
  },
  hooks: {
    async activate() {
      const { id, secret } = await this.call('POST', '/hooks', {
        ...this.rule(),
        target_url: this.http.endpoint,
        external_ref: 'Pipedream',
      })
      this.db.set('hook', { id, secret })
    },
    async deactivate() {
      const hook = this.db.get('hook')
      if (hook) await this.call('DELETE', `/hooks/${encodeURIComponent(hook.id)}`)
      this.db.set('hook', null)
    },
  },
  methods: {
    /** The answer as JSON; null after a deletion. A missing object counts as deleted. */
    async call(method, path, body) {
      const address = this.baseUrl.trim().replace(/\/+$/, '')
      const response = await fetch(`${address}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      }).catch((error) => {
        throw new Error(
          `Review Radar does not answer at ${address}: ${error.cause?.message ?? error.message}`,
        )
      })
      if (method === 'DELETE' && (response.status === 204 || response.status === 404)) return null
      const answer = await response.json().catch(() => null)
      if (!response.ok) throw new Error(answer?.error ?? `Review Radar answered ${response.status}`)
      if (answer === null) throw new Error(`Review Radar does not answer at ${address}, but another service`)
      return answer
    },
    async appOptions(query) {
      const text = (query ?? '').trim()
      const tracked = await this.call('GET', '/tracked-apps')
      const found =
        text.length < 3 ? [] : (await this.call('GET', `/apps/search?q=${encodeURIComponent(text)}`)).data
      const options = new Map()
      for (const { store, app_id, name } of [...tracked, ...found]) {
        const value = `${store}:${app_id}`
        if (!options.has(value))
          options.set(value, { label: `${name ?? app_id} (${STORE_NAMES[store]})`, value })
      }
      return [...options.values()]
    },
    rule() {
      const [, store, app_id] = /^(apple|google):(\S+)$/.exec(this.app.trim()) ?? []
      if (!store)
        throw new Error(
          `App must be a value such as apple:310633997 or google:com.whatsapp: "${this.app}" is not`,
        )
      const common = {
        store,
        app_id,
        event_type: this.eventType,
        ...(this.countries?.length > 0 ? { countries: this.countries } : {}),
      }
      if (this.eventType === 'review.created')
        return {
          ...common,
          ...(this.minStars ? { min_stars: this.minStars } : {}),
          ...(this.maxStars ? { max_stars: this.maxStars } : {}),
          ...this.filters(),
        }
      if (this.eventType === 'reviews.spiked')
        return {
          ...common,
          ...(this.spikeMinReviews ? { spike_min_reviews: this.spikeMinReviews } : {}),
          ...(this.spikeFactor ? { spike_factor: Number(this.spikeFactor) } : {}),
        }
      const delta = this.delta ?? (this.threshold ? undefined : '0.1')
      return {
        ...common,
        ...(delta ? { delta: Number(delta) } : {}),
        ...(this.deltaWindowHours ? { delta_window_hours: this.deltaWindowHours } : {}),
        ...(this.threshold ? { threshold: Number(this.threshold) } : {}),
      }
    },
    filters() {
      const given = {}
      for (const name of Object.keys(REVIEW_FILTERS)) {
        const value = this[name]
        const isGiven = value !== undefined && value !== null && value.length !== 0
        if (isGiven) given[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = value
      }
      return given
    },
    isSigned({ headers, bodyRaw }, secret, nowMs = Date.now()) {
      const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(
        (name) => headers[name] ?? '',
      )
      if (!/^\d{1,12}$/.test(timestamp) || Math.abs(nowMs / 1000 - Number(timestamp)) > TOLERANCE_S)
        return false
      const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
      const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${bodyRaw}`).digest('base64')
      const expected = Buffer.from(`v1,${mac}`)
      return signatures.split(' ').some((given) => {
        const bytes = Buffer.from(given)
        return bytes.length === expected.length && timingSafeEqual(bytes, expected)
      })
    },
    summary(event) {
      if (event.event_type === 'reviews.spiked')
        return `${event.review_count} negative reviews in an hour: ${event.store} ${event.app_id}`
      if (event.event_type !== 'review.created')
        return `${event.previous_rating} → ${event.current_rating}: ${event.store} ${event.app_id}`
      return `${'★'.repeat(event.rating)} ${event.title ?? event.body.slice(0, 80)}`
    },
  },
  async run(request) {
    const hook = this.db.get('hook')
    if (!hook || !this.isSigned(request, hook.secret)) {
      this.http.respond({ status: 401, body: { error: 'The signature is wrong.' } })
      return
    }
    const event = JSON.parse(request.bodyRaw)
    this.$emit(event, {
      id: event.event_id,
      summary: this.summary(event),
      ts: Date.parse(event.occurred_at),
    })
    this.http.respond({ status: 204 })
  },
  sampleEmit: {
    id: '50abcc7b2d567424d8aecdfc04cf7c7c82e653f377a23526632b8830967b092f',
    event_id: '50abcc7b2d567424d8aecdfc04cf7c7c82e653f377a23526632b8830967b092f',
    occurrence_id: '6cf26c571fa63865adfd39302e35bf0151caf928dd3fd1b409d7bdfbc323a61d',
    event_type: 'review.created',
    store: 'apple',
    app_id: '123456789',
    subscriber_id: 'api-00000000000000000000000000000000000000ff',
    occurred_at: '2026-01-15T09:30:00.000Z',
    observed_at: '2026-01-15T09:30:00.000Z',
    schema_version: 2,
    review_id: 'sample-sample',
    fingerprint: '6cf26c571fa63865adfd39302e35bf0151caf928dd3fd1b409d7bdfbc323a61d',
    content_hash: '0bae16605a0d088846163a0709fbda14225c49fdd1b975f317f88e561aabd5e5',
    rating: 3,
    title: 'Great until the last update',
    body: 'I use this every day and love it, but since 4.2 it closes itself when I open a shared list. Dark mode would be nice too.',
    author: 'Sample Reviewer',
    app_version: '4.2.0',
    country: 'us',
    enrichment: {
      language: 'en',
      sentiment: 'mixed',
      themes: ['stability_crash', 'update_regression', 'ui_ux'],
      is_feature_request: true,
      feature_slug: 'dark-mode',
      feature_phrase: 'Dark mode',
      is_bug_report: true,
      severity: 'high',
      mentions_competitor: false,
      competitor_named: null,
      other_topic: null,
      summary_en: 'Likes the app, but it crashes on shared lists since 4.2; asks for a dark mode.',
    },
  },
}
