import type { INodeProperties } from 'n8n-workflow'
import { appProperty } from './app-property'
import { SENTIMENTS, SEVERITIES, STARS, STOREFRONTS, THEMES } from './vocabulary'

const forReviews = { show: { event: ['review.created'] } }
const RATING_EVENTS = ['rating.dropped', 'rating.recovered']
const forRatings = { show: { event: RATING_EVENTS } }
const forSpikes = { show: { event: ['reviews.spiked'] } }
const stars = STARS.map(({ name, value }) => ({ name, value: Number(value) }))

/** The names are those of the API. Texts are separated by commas. */
const REVIEW_FILTERS: INodeProperties[] = [
  textFilter(
    'app_versions',
    'App Versions',
    '4.2.1, 5.*',
    'Versions, or beginnings of versions with an asterisk',
  ),
  flagFilter('is_bug_report', 'Bug Report', 'Whether the review reports a bug'),
  textFilter('competitors', 'Competitors', 'Signal, Telegram', 'The review must name one of them'),
  textFilter('excluded_keywords', 'Excluded Keywords', 'refund', 'The review must contain none of them'),
  flagFilter('is_feature_request', 'Feature Request', 'Whether the review requests a feature'),
  textFilter(
    'keywords',
    'Keywords',
    'crash, lost data',
    'Words or phrases. Title, text or English summary must contain one of them.',
  ),
  textFilter('languages', 'Languages', 'en, de', 'Languages of the text, two letters each'),
  flagFilter('mentions_competitor', 'Mentions Competitor', 'Whether the review mentions a competitor'),
  { displayName: 'Sentiments', name: 'sentiments', type: 'multiOptions', default: [], options: SENTIMENTS },
  { displayName: 'Severities', name: 'severities', type: 'multiOptions', default: [], options: SEVERITIES },
  {
    displayName: 'Themes',
    name: 'themes',
    type: 'multiOptions',
    default: [],
    options: THEMES,
    description: 'The review must have one of these themes',
  },
]

function textFilter(
  name: string,
  displayName: string,
  placeholder: string,
  description: string,
): INodeProperties {
  return {
    displayName,
    name,
    type: 'string',
    default: '',
    placeholder,
    description: `${description}. Separate values by commas.`,
  }
}

function flagFilter(name: string, displayName: string, description: string): INodeProperties {
  return { displayName, name, type: 'boolean', default: true, description }
}

export const TRIGGER_PROPERTIES: INodeProperties[] = [
  {
    displayName:
      'A test sends a sample event a moment after n8n starts to listen. Live events have the same fields.',
    name: 'testNotice',
    type: 'notice',
    default: '',
  },
  {
    displayName: 'Event',
    name: 'event',
    type: 'options',
    noDataExpression: true,
    required: true,
    default: 'review.created',
    options: [
      {
        name: 'New Review',
        value: 'review.created',
        description: 'A new review in the App Store or Google Play',
      },
      { name: 'Rating Drop', value: 'rating.dropped', description: 'The average rating of the app falls' },
      {
        name: 'Rating Recovery',
        value: 'rating.recovered',
        description: 'The average rating is again what it was before a drop',
      },
      {
        name: 'Review Spike',
        value: 'reviews.spiked',
        description: 'More negative reviews than usual are written within an hour',
      },
    ],
  },
  appProperty(),
  {
    displayName: 'Storefronts',
    name: 'countries',
    type: 'multiOptions',
    default: [],
    options: [...STOREFRONTS],
    description:
      'Countries of the store; all that the account tracks when empty. Google shows reviews by language, not by country.',
  },
  {
    displayName: 'Minimum Stars',
    name: 'minStars',
    type: 'options',
    default: 1,
    options: stars,
    displayOptions: forReviews,
    description: 'Reviews with fewer stars do not start the workflow',
  },
  {
    displayName: 'Maximum Stars',
    name: 'maxStars',
    type: 'options',
    default: 5,
    options: stars,
    displayOptions: forReviews,
    description: 'Reviews with more stars do not start the workflow',
  },
  {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    displayOptions: forReviews,
    options: REVIEW_FILTERS,
    description: 'A review must pass all of them',
  },
  {
    displayName: 'Fires When',
    name: 'firesWhen',
    type: 'options',
    default: 'delta',
    options: [
      { name: 'Rating Falls Below a Value', value: 'threshold' },
      { name: 'Rating Falls by a Value', value: 'delta' },
      { name: 'Either of Both', value: 'both' },
    ],
    displayOptions: forRatings,
  },
  {
    displayName: 'Falls By',
    name: 'delta',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 4, numberPrecision: 6 },
    default: 0.1,
    displayOptions: { show: { event: RATING_EVENTS, firesWhen: ['delta', 'both'] } },
    description:
      'Smallest drop of the average rating, 0 to 4. With 0, each drop fires. A recovery makes up for such a drop.',
  },
  {
    displayName: 'Within Hours',
    name: 'deltaWindowHours',
    type: 'number',
    typeOptions: { minValue: 0, maxValue: 720, numberPrecision: 0 },
    default: 0,
    displayOptions: { show: { event: RATING_EVENTS, firesWhen: ['delta', 'both'] } },
    description:
      'Also finds slow slides: compares with the highest rating of the last 1 to 720 hours. 0 compares with the last rating.',
  },
  {
    displayName: 'Falls Below',
    name: 'threshold',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 5, numberPrecision: 6 },
    default: 4,
    displayOptions: { show: { event: RATING_EVENTS, firesWhen: ['threshold', 'both'] } },
    description:
      'The event fires when the average rating crosses this value downwards, 1 to 5. A recovery makes up for such a drop.',
  },
  {
    displayName: 'Minimum Reviews',
    name: 'spikeMinReviews',
    type: 'number',
    typeOptions: { minValue: 2, maxValue: 1000, numberPrecision: 0 },
    default: 5,
    displayOptions: forSpikes,
    description: 'Smallest number of reviews with 1 or 2 stars within an hour, 2 to 1,000',
  },
  {
    displayName: 'Times the Usual',
    name: 'spikeFactor',
    type: 'number',
    typeOptions: { minValue: 1.5, maxValue: 100, numberPrecision: 2 },
    default: 3,
    displayOptions: forSpikes,
    description: 'Smallest multiple of the usual number per hour of the 14 days before, 1.5 to 100',
  },
]
