/** Code that verifies `webhook-signature`, which a rotation does not break, as in docs/how-to/verify-a-signature.md. */
export const VERIFY_SNIPPETS = [
  {
    language: 'Node',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto'

export function verify(rawBody, headers, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) return false
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const mac = createHmac('sha256', key).update(\`\${id}.\${timestamp}.\`).update(rawBody)
  const want = Buffer.from(\`v1,\${mac.digest('base64')}\`)
  // One signature for each valid secret.
  const given = String(signatures).split(' ').map((each) => Buffer.from(each))
  return given.some((got) => got.length === want.length && timingSafeEqual(got, want))
}`,
  },
  {
    language: 'Python',
    code: `import base64, hashlib, hmac, time

def verify(raw_body: bytes, headers, secret: str) -> bool:
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{headers.get('webhook-id')}.{timestamp}.".encode() + raw_body
    want = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # One signature for each valid secret.
    given = headers.get("webhook-signature", "").encode().split(b" ")
    return any(hmac.compare_digest(want, got) for got in given)`,
  },
  {
    language: 'Go',
    code: `func verify(rawBody []byte, headers http.Header, secret string) bool {
	timestamp := headers.Get("webhook-timestamp")
	signedAt, err := strconv.ParseInt(timestamp, 10, 64)
	if age := time.Now().Unix() - signedAt; err != nil || age > 300 || age < -300 {
		return false
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.", headers.Get("webhook-id"), timestamp)
	mac.Write(rawBody)
	want := []byte("v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	// One signature for each valid secret.
	for _, got := range strings.Split(headers.Get("webhook-signature"), " ") {
		if hmac.Equal(want, []byte(got)) {
			return true
		}
	}
	return false
}`,
  },
  {
    language: 'TypeScript',
    code: `import { verify } from '@review-radar/receiver'

const event = await verify(rawBody, headers, { secret }) // throws a ReceiverError with a code`,
  },
] as const
