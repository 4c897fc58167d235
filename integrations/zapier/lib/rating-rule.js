/** Without a rule, each drop of a tenth counts. */
const DELTA_DEFAULT = 0.1

/** The fields of a rule for rating drops. `triggers` begins a text, such as `Triggers when`. */
function ratingRuleFields(triggers) {
  return [
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
      helpText: `${triggers} the rating crosses this value downwards, 1 to 5.`,
    },
  ]
}

function ratingRuleOf({ delta: given, delta_window_hours: hours, threshold }) {
  const delta = isEmpty(given) && isEmpty(threshold) ? DELTA_DEFAULT : given
  return {
    ...(isEmpty(delta) ? {} : { delta: Number(delta) }),
    ...(isEmpty(hours) ? {} : { delta_window_hours: Number(hours) }),
    ...(isEmpty(threshold) ? {} : { threshold: Number(threshold) }),
  }
}

function isEmpty(value) {
  return value === undefined || value === null || value === ''
}

module.exports = { isEmpty, ratingRuleFields, ratingRuleOf }
