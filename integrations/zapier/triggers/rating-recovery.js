const { appField, countriesField } = require('../lib/apps')
const { hookOperation } = require('../lib/hook-trigger')
const { recoveryFields } = require('../lib/output-fields')
const { ratingRuleFields, ratingRuleOf } = require('../lib/rating-rule')
const sample = require('../samples/rating-recovered.json')

module.exports = {
  key: 'rating_recovery',
  noun: 'Rating Recovery',
  display: {
    label: 'Rating Recovery',
    description: 'Triggers when the average rating of an app is again what it was before a drop.',
  },
  operation: hookOperation({
    eventType: 'rating.recovered',
    inputFields: [appField, countriesField, ...ratingRuleFields('Triggers after a drop in which')],
    ruleOf: ratingRuleOf,
    sample,
    outputFields: recoveryFields,
  }),
}
