import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow'
import { appProperty } from './app-property'
import { SENTIMENTS, SEVERITIES, STARS, STOREFRONTS, THEMES } from './vocabulary'

const RESOURCES: readonly INodePropertyOptions[] = [
  { name: 'App', value: 'app' },
  { name: 'Dead Letter', value: 'deadLetter' },
  { name: 'Rating', value: 'rating' },
  { name: 'Review', value: 'review' },
  { name: 'Statistics', value: 'statistics' },
]

/** Options of the drop-down of operations: value, label, what it does. */
type OperationRow = readonly [value: string, name: string, action: string]

function operations(resource: string, rows: readonly OperationRow[]): INodeProperties {
  return {
    displayName: 'Operation',
    name: 'operation',
    type: 'options',
    noDataExpression: true,
    displayOptions: { show: { resource: [resource] } },
    default: rows[0]?.[0] ?? '',
    options: rows.map(([value, name, action]) => ({ value, name, action, description: action })),
  }
}

const country: INodeProperties = {
  displayName: 'Storefront',
  name: 'country',
  type: 'options',
  default: 'us',
  options: [...STOREFRONTS],
}
const since: INodeProperties = { displayName: 'Since', name: 'since', type: 'dateTime', default: '' }
const until: INodeProperties = {
  displayName: 'Until',
  name: 'until',
  type: 'dateTime',
  default: '',
  description: 'The end of the period, which it does not include',
}

function filters(
  show: Readonly<Record<string, readonly string[]>>,
  options: INodeProperties[],
): INodeProperties {
  return {
    displayName: 'Filters',
    name: 'filters',
    type: 'collection',
    placeholder: 'Add filter',
    default: {},
    displayOptions: { show: show as Record<string, string[]> },
    options,
  }
}

const reviewFilters: INodeProperties[] = [
  {
    displayName: 'Answer',
    name: 'answer',
    type: 'options',
    default: 'unanswered',
    options: [
      { name: 'Draft', value: 'draft' },
      { name: 'Edited Since', value: 'edited' },
      { name: 'Pending', value: 'pending' },
      { name: 'Published', value: 'published' },
      { name: 'Refused', value: 'refused' },
      { name: 'Unanswered', value: 'unanswered' },
    ],
    description: 'State of the answer to the review',
  },
  { displayName: 'App Version', name: 'app_version', type: 'string', default: '' },
  {
    displayName: 'Assignee',
    name: 'assignee',
    type: 'string',
    default: '',
    placeholder: 'nobody',
    description: 'The ID of a member, or nobody',
  },
  {
    displayName: 'Bug Report',
    name: 'is_bug_report',
    type: 'boolean',
    default: true,
    description: 'Whether the review reports a bug',
  },
  {
    displayName: 'Feature Key',
    name: 'feature_slug',
    type: 'string',
    default: '',
    placeholder: 'dark-mode',
    description: 'Reviews that request this feature',
  },
  {
    displayName: 'Feature Request',
    name: 'is_feature_request',
    type: 'boolean',
    default: true,
    description: 'Whether the review requests a feature',
  },
  {
    displayName: 'Language',
    name: 'language',
    type: 'string',
    default: '',
    placeholder: 'en',
    description: 'Language of the text, two letters',
  },
  { displayName: 'Sentiment', name: 'sentiment', type: 'options', default: 'negative', options: SENTIMENTS },
  { displayName: 'Severity', name: 'severity', type: 'options', default: 'high', options: SEVERITIES },
  since,
  { displayName: 'Stars', name: 'stars', type: 'multiOptions', default: [], options: STARS },
  {
    displayName: 'Status',
    name: 'status',
    type: 'options',
    default: 'new',
    options: [
      { name: 'Done', value: 'done' },
      { name: 'New', value: 'new' },
      { name: 'Seen', value: 'seen' },
    ],
    description: 'How far the team is with the review',
  },
  country,
  { displayName: 'Tag', name: 'tag', type: 'string', default: '' },
  {
    displayName: 'Text',
    name: 'text',
    type: 'string',
    default: '',
    description: 'Each word must occur in title, text, author, English summary or requested feature',
  },
  { displayName: 'Theme', name: 'theme', type: 'options', default: 'stability_crash', options: THEMES },
  until,
]

const deliveryFilters: INodeProperties[] = [
  { displayName: 'Destination ID', name: 'hook_id', type: 'string', default: '' },
  {
    displayName: 'Event',
    name: 'event_type',
    type: 'options',
    default: 'review.created',
    options: [
      { name: 'New Review', value: 'review.created' },
      { name: 'Rating Drop', value: 'rating.dropped' },
      { name: 'Rating Recovery', value: 'rating.recovered' },
      { name: 'Review Spike', value: 'reviews.spiked' },
    ],
  },
  {
    displayName: 'Reason',
    name: 'reason',
    type: 'string',
    default: '',
    placeholder: 'attempts_exhausted',
    description: 'Reason of the last failure or of the dead letter',
  },
  since,
  until,
]

export const ACTION_PROPERTIES: INodeProperties[] = [
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'options',
    noDataExpression: true,
    default: 'review',
    options: [...RESOURCES],
  },
  operations('app', [
    ['getAll', 'Get Many', 'Get many tracked apps'],
    ['search', 'Search', 'Search the stores for apps'],
  ]),
  operations('deadLetter', [
    ['getAll', 'Get Many', 'Get many dead letters'],
    ['replay', 'Replay', 'Replay dead letters by their event ids'],
    ['replayAll', 'Replay Many', 'Replay all dead letters that match'],
  ]),
  operations('rating', [['getAll', 'Get Many', 'Get many ratings of an app']]),
  operations('review', [
    ['getAll', 'Get Many', 'Get many reviews'],
    ['get', 'Get', 'Get a review with its deliveries'],
    ['reply', 'Reply', 'Reply to a review in the store'],
  ]),
  operations('statistics', [['get', 'Get', 'Get statistics of reviews']]),
  appProperty({ displayOptions: { show: { resource: ['rating'] } } }),
  appProperty({
    displayOptions: {
      show: {
        resource: ['review', 'deadLetter'],
        operation: ['getAll', 'replayAll'],
      },
    },
    required: false,
    description: 'Only this app. All apps when empty.',
  }),
  appProperty({
    displayOptions: { show: { resource: ['statistics'], operation: ['get'] } },
    required: false,
    description: 'Only this app. All apps when empty.',
  }),
  {
    displayName: 'Search',
    name: 'query',
    type: 'string',
    required: true,
    default: '',
    placeholder: 'A name, a store link or an ID',
    displayOptions: { show: { resource: ['app'], operation: ['search'] } },
  },
  {
    displayName: 'Fingerprint',
    name: 'fingerprint',
    type: 'string',
    required: true,
    default: '',
    placeholder: '={{ $json.fingerprint }}',
    description: 'The fingerprint of the review, or occurrence_id of its event',
    displayOptions: { show: { resource: ['review'], operation: ['get', 'reply'] } },
  },
  {
    displayName: 'Text',
    name: 'replyText',
    type: 'string',
    typeOptions: { rows: 4 },
    required: true,
    default: '',
    description:
      'The answer that everyone sees in the store. Needs a store connection of the app and a token with the scope reply.',
    displayOptions: { show: { resource: ['review'], operation: ['reply'] } },
  },
  {
    displayName: 'Event IDs',
    name: 'eventIds',
    type: 'string',
    required: true,
    default: '',
    placeholder: '={{ $json.event_id }}',
    description: 'One or more event IDs, separated by commas; at most 500',
    displayOptions: { show: { resource: ['deadLetter'], operation: ['replay'] } },
  },
  {
    displayName: 'Interval',
    name: 'interval',
    type: 'options',
    default: 'day',
    options: [
      { name: 'Day', value: 'day' },
      { name: 'Month', value: 'month' },
      { name: 'Week', value: 'week' },
    ],
    description: 'Length of an interval of the series, in UTC',
    displayOptions: { show: { resource: ['statistics'] } },
  },
  {
    displayName: 'Return All',
    name: 'returnAll',
    type: 'boolean',
    default: false,
    description: 'Whether to return all results or only up to a given limit',
    displayOptions: { show: { operation: ['getAll'] } },
  },
  {
    displayName: 'Limit',
    name: 'limit',
    type: 'number',
    typeOptions: { minValue: 1 },
    default: 50,
    description: 'Max number of results to return',
    displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
  },
  filters({ resource: ['review'], operation: ['getAll'] }, reviewFilters),
  filters({ resource: ['rating', 'statistics'] }, [since, country, until]),
  filters({ resource: ['deadLetter'], operation: ['getAll', 'replayAll'] }, deliveryFilters),
]
