const { appField, countriesField } = require('../lib/apps')
const { hookOperation } = require('../lib/hook-trigger')
const { ratingFields } = require('../lib/output-fields')
const sample = require('../samples/rating-dropped.json')

/** Without a rule, each drop of a tenth fires. */
const DELTA_DEFAULT = 0.1

module.exports = {
  key: 'rating_drop',
  noun: 'Rating Drop',
  display: {
    label: 'Rating Drop',
    description: 'Triggers when the average rating of an app falls.',
  },
  operation: hookOperation({
    eventType: 'rating.dropped',
    inputFields: [
      appField,
      countriesField,
      {
        key: 'delta',
        label: 'Falls By',
        type: 'number',
        required: false,
        helpText: `Smallest drop, 0 to 4. Default: ${DELTA_DEFAULT}, unless "Falls Below" is set.`,
      },
      {
        key: 'delta_window_hours',
        label: 'Within Hours',
        type: 'integer',
        required: false,
        helpText:
          'Also finds slow slides: compares with the highest rating of the last 1 to 720 hours. Empty: with the last rating.',
      },
      {
        key: 'threshold',
        label: 'Falls Below',
        type: 'number',
        required: false,
        helpText: 'Triggers when the rating crosses this value downwards, 1 to 5.',
      },
    ],
    ruleOf: ({ delta: given, delta_window_hours: hours, threshold }) => {
      const delta = isEmpty(given) && isEmpty(threshold) ? DELTA_DEFAULT : given
      return {
        ...(isEmpty(delta) ? {} : { delta: Number(delta) }),
        ...(isEmpty(hours) ? {} : { delta_window_hours: Number(hours) }),
        ...(isEmpty(threshold) ? {} : { threshold: Number(threshold) }),
      }
    },
    sample,
    outputFields: ratingFields,
  }),
}

function isEmpty(value) {
  return value === undefined || value === null || value === ''
}
