/** The unsuccessful answers that each service documents, or that its clients report. */
export type ServiceAnswer = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

const json = (
  status: number,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})

const text = (
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): ServiceAnswer => ({
  status,
  headers: { 'content-type': 'text/plain', ...headers },
  body,
})

const telegram = (status: number, description: string, parameters?: object): ServiceAnswer =>
  json(status, { ok: false, error_code: status, description, ...(parameters && { parameters }) })

const discord = (status: number, code: number, message: string): ServiceAnswer =>
  json(status, { message, code })

const workflow = (status: number, code: string): ServiceAnswer =>
  json(status, { error: { code, message: '…' } })

/** With the reason that the delivery gets; `wait` for a rate limit with its milliseconds, null for a retry by the schedule. */
export const FAILURE_ANSWERS: Readonly<
  Record<string, readonly (readonly [answer: ServiceAnswer, expected: string | number | null])[]>
> = {
  slack: [
    [text(404, 'channel_not_found'), 'channel_gone'],
    [text(410, 'channel_is_archived'), 'channel_gone'],
    [text(403, 'action_prohibited'), 'posting_forbidden'],
    [text(403, 'posting_to_general_channel_denied'), 'posting_forbidden'],
    [text(404, 'no_service'), 'access_revoked'],
    [text(404, 'no_team'), 'access_revoked'],
    [text(403, 'invalid_token'), 'access_revoked'],
    [text(400, 'invalid_blocks'), 'message_rejected'],
    [text(429, 'rate_limited', { 'retry-after': '30' }), 30_000],
    [text(500, 'rollup_error'), null],
  ],
  discord: [
    [discord(404, 10_015, 'Unknown Webhook'), 'channel_gone'],
    [discord(404, 10_003, 'Unknown Channel'), 'channel_gone'],
    [discord(401, 50_027, 'Invalid Webhook Token'), 'access_revoked'],
    [discord(403, 50_013, 'Missing Permissions'), 'posting_forbidden'],
    [json(400, { code: 50_035, message: 'Invalid Form Body', errors: { embeds: {} } }), 'message_rejected'],
    [
      json(
        429,
        { message: 'You are being rate limited.', retry_after: 0.529, global: false },
        { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '0.529', 'retry-after': '1' },
      ),
      529,
    ],
    [text(429, '<html>error code: 1015</html>', { 'retry-after': '7' }), 7_000],
    [text(502, '<html>502 Bad Gateway</html>'), null],
  ],
  telegram: [
    [telegram(401, 'Unauthorized'), 'access_revoked'],
    [telegram(404, 'Not Found'), 'access_revoked'],
    [telegram(403, 'Forbidden: bot was blocked by the user'), 'posting_forbidden'],
    [telegram(403, 'Forbidden: bot was kicked from the group chat'), 'posting_forbidden'],
    [telegram(403, "Forbidden: bot can't initiate conversation with a user"), 'posting_forbidden'],
    [telegram(400, 'Bad Request: chat not found'), 'channel_gone'],
    [
      telegram(400, 'Bad Request: group chat was upgraded to a supergroup chat', {
        migrate_to_chat_id: -1_001,
      }),
      'channel_gone',
    ],
    [telegram(400, "Bad Request: can't parse entities: unsupported start tag"), 'message_rejected'],
    [telegram(429, 'Too Many Requests: retry after 14', { retry_after: 14 }), 14_000],
    [telegram(502, 'Bad Gateway'), null],
  ],
  teams: [
    [workflow(404, 'WorkflowNotFound'), 'channel_gone'],
    [workflow(401, 'DirectApiAuthorizationRequired'), 'posting_forbidden'],
    [workflow(400, 'WorkflowTriggerIsNotEnabled'), 'posting_forbidden'],
    [workflow(403, 'AuthorizationFailed'), 'access_revoked'],
    [workflow(400, 'TriggerInputSchemaMismatch'), 'message_rejected'],
    [workflow(429, 'TooManyRequests'), null],
    [json(429, { error: { code: 'TooManyRequests' } }, { 'retry-after': '20' }), 20_000],
    [workflow(502, 'NoResponse'), null],
  ],
  http: [
    [json(403, { code: 40_301, http: 403, error: 'forbidden' }), null],
    [text(429, 'limit reached', { 'retry-after': '5' }), null],
  ],
}
