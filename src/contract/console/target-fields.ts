// Generated from the settings schemas of src/pipeline/targets by `npm run generate`. Do not edit.

/** The fields of each target type. `isSecret`: the service never shows the value again. */
export const TARGET_FIELDS = {
  webhook: [],
  slack: [{ name: 'webhook_url', isRequired: true, isSecret: true, kind: 'secret' }],
  discord: [
    { name: 'webhook_url', isRequired: true, isSecret: true, kind: 'secret' },
    { name: 'thread_id', isRequired: false, isSecret: false, kind: 'text' },
  ],
  telegram: [
    { name: 'bot_token', isRequired: true, isSecret: true, kind: 'secret' },
    { name: 'chat_id', isRequired: true, isSecret: false, kind: 'text' },
    { name: 'message_thread_id', isRequired: false, isSecret: false, kind: 'whole number' },
    { name: 'api_url', isRequired: false, isSecret: false, kind: 'text' },
    { name: 'silent', isRequired: false, isSecret: false, kind: 'flag' },
  ],
  teams: [{ name: 'webhook_url', isRequired: true, isSecret: true, kind: 'secret' }],
  email: [{ name: 'to', isRequired: true, isSecret: false, kind: 'lines' }],
  http: [
    { name: 'method', isRequired: false, isSecret: false, kind: 'choice', choices: ['POST', 'PUT', 'GET'] },
    { name: 'url', isRequired: true, isSecret: true, kind: 'text' },
    { name: 'headers', isRequired: false, isSecret: true, kind: 'headers' },
    { name: 'body', isRequired: false, isSecret: true, kind: 'code' },
  ],
} as const
