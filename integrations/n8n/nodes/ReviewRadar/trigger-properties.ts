import type { INodeProperties } from 'n8n-workflow'
import { appProperty } from './app-property'
import { STARS, STOREFRONTS } from './vocabulary'

const forReviews = { show: { event: ['review.created'] } }
const forRatings = { show: { event: ['rating.dropped'] } }
const stars = STARS.map(({ name, value }) => ({ name, value: Number(value) }))

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
    ],
  },
  appProperty(),
  {
    displayName: 'Storefront',
    name: 'country',
    type: 'options',
    default: '',
    options: [{ name: 'All Tracked Storefronts', value: '' }, ...STOREFRONTS],
    description: 'Country of the store. Google shows reviews by language, not by country.',
  },
  {
    displayName: 'Minimum Stars',
    name: 'minStars',
    type: 'options',
    default: 1,
    options: stars,
    displayOptions: forReviews,
    description: 'Whether to skip reviews with fewer stars',
  },
  {
    displayName: 'Maximum Stars',
    name: 'maxStars',
    type: 'options',
    default: 5,
    options: stars,
    displayOptions: forReviews,
    description: 'Whether to skip reviews with more stars',
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
    displayOptions: { show: { event: ['rating.dropped'], firesWhen: ['delta', 'both'] } },
    description: 'Smallest drop of the average rating, 0 to 4. With 0, each drop fires.',
  },
  {
    displayName: 'Falls Below',
    name: 'threshold',
    type: 'number',
    typeOptions: { minValue: 1, maxValue: 5, numberPrecision: 6 },
    default: 4,
    displayOptions: { show: { event: ['rating.dropped'], firesWhen: ['threshold', 'both'] } },
    description: 'The event fires when the average rating crosses this value downwards, 1 to 5',
  },
]
