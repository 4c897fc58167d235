import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isSetupCode, newSetupCode } from './setup-code.ts'

describe('a setup code', () => {
  it('a setup code is 20 random letters and digits without ambiguous ones', () => {
    const codes = new Set(Array.from({ length: 50 }, newSetupCode))
    assert.equal(codes.size, 50)
    for (const code of codes) assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){4}[0-9A-HJKMNP-TV-Z]{4}$/)
  })

  it('a setup code is accepted in any case, with or without dashes; nothing else is', () => {
    const code = 'K7QF-2M9D-AAAA-BBBB-CCCC'
    for (const given of [
      code,
      code.toLowerCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' ')} `,
    ]) {
      assert.equal(isSetupCode(given, code), true, given)
    }
    for (const given of ['', 'K7QF', `${code}0`, code.slice(0, -1), code.replace('K', 'X')]) {
      assert.equal(isSetupCode(given, code), false, given)
    }
  })
})
