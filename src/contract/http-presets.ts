/** Settings to begin with. `…` and example hosts must be replaced. */
export const HTTP_PRESETS = {
  /** https://docs.ntfy.sh/publish/#publish-as-json */
  ntfy: {
    method: 'POST',
    url: 'https://ntfy.sh/',
    headers: { 'content-type': 'application/json' },
    body: `{
  "topic": "your-topic",
  "title": "{{title}}",
  "message": "{{text}}"{{#if console_url}},
  "click": "{{console_url}}"{{/if}}
}`,
  },
  /** https://github.com/caronc/apprise-api: a key with stored URLs. */
  apprise: {
    method: 'POST',
    url: 'https://apprise.example.com/notify/your-key',
    headers: { 'content-type': 'application/json' },
    body: `{
  "title": "{{title}}",
  "body": "{{text}}{{#if console_url}}\\n{{console_url}}{{/if}}",
  "type": "{{level}}",
  "format": "text"
}`,
  },
} as const
