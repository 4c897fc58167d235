const { apiUrl } = require('../lib/requests')

module.exports = {
  key: 'replay_dead_letters',
  noun: 'Dead Letter',
  display: {
    label: 'Replay Dead Letters',
    description: 'Queues failed deliveries again, with the same event IDs and bytes.',
  },
  operation: {
    inputFields: [
      {
        key: 'event_ids',
        label: 'Event IDs',
        type: 'string',
        list: true,
        required: true,
        helpText: 'At most 500. The token needs the scope `operate`.',
      },
    ],
    perform: async (z, bundle) => {
      const { data } = await z.request({
        url: apiUrl(bundle, '/dead-letters/replay'),
        method: 'POST',
        body: { event_ids: bundle.inputData.event_ids },
      })
      return data
    },
    sample: { replayed: 1, skipped: 0 },
    outputFields: [
      { key: 'replayed', label: 'Replayed', type: 'integer' },
      { key: 'skipped', label: 'Skipped', type: 'integer' },
    ],
  },
}
