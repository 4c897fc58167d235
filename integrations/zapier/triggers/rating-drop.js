const { appField, countriesField } = require('../lib/apps')
const { hookOperation } = require('../lib/hook-trigger')
const { ratingFields } = require('../lib/output-fields')
const { ratingRuleFields, ratingRuleOf } = require('../lib/rating-rule')
const sample = require('../samples/rating-dropped.json')

module.exports = {
  key: 'rating_drop',
  noun: 'Rating Drop',
  display: {
    label: 'Rating Drop',
    description: 'Triggers when the average rating of an app falls.',
  },
  operation: hookOperation({
    eventType: 'rating.dropped',
    inputFields: [appField, countriesField, ...ratingRuleFields('Triggers when')],
    ruleOf: ratingRuleOf,
    sample,
    outputFields: ratingFields,
  }),
}
