/** Code that verifies `x-radar-signature`, as in the README. */
export const VERIFY_SNIPPETS = [
  {
    language: 'Node',
    code: `import { createHmac, timingSafeEqual } from 'node:crypto'

export function verify(rawBody, header, secret) {
  const want = Buffer.from(\`sha256=\${createHmac('sha256', secret).update(rawBody).digest('hex')}\`)
  const got = Buffer.from(header ?? '')
  return got.length === want.length && timingSafeEqual(got, want)
}`,
  },
  {
    language: 'Python',
    code: `import hashlib, hmac

def verify(raw_body: bytes, header: str, secret: str) -> bool:
    want = "sha256=" + hmac.new(secret.encode(), raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(want, header or "")`,
  },
  {
    language: 'Go',
    code: `func verify(rawBody []byte, header, secret string) bool {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(rawBody)
	return hmac.Equal([]byte("sha256="+hex.EncodeToString(mac.Sum(nil))), []byte(header))
}`,
  },
] as const
