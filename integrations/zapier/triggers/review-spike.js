const { appField, countriesField } = require('../lib/apps')
const { hookOperation } = require('../lib/hook-trigger')
const { spikeFields } = require('../lib/output-fields')
const { isEmpty } = require('../lib/rating-rule')
const sample = require('../samples/reviews-spiked.json')

module.exports = {
  key: 'review_spike',
  noun: 'Review Spike',
  display: {
    label: 'Review Spike',
    description: 'Triggers when an app gets more negative reviews within an hour than usual.',
  },
  operation: hookOperation({
    eventType: 'reviews.spiked',
    inputFields: [
      appField,
      countriesField,
      {
        key: 'spike_min_reviews',
        label: 'Minimum Reviews',
        type: 'integer',
        required: false,
        helpText: 'Smallest number of reviews with 1 or 2 stars within an hour, 2 to 1,000. Default: 5.',
      },
      {
        key: 'spike_factor',
        label: 'Times the Usual',
        type: 'number',
        required: false,
        helpText:
          'Smallest multiple of the usual number per hour of the 14 days before, 1.5 to 100. Default: 3.',
      },
    ],
    ruleOf: ({ spike_min_reviews: reviews, spike_factor: factor }) => ({
      ...(isEmpty(reviews) ? {} : { spike_min_reviews: Number(reviews) }),
      ...(isEmpty(factor) ? {} : { spike_factor: Number(factor) }),
    }),
    sample,
    outputFields: spikeFields,
  }),
}
