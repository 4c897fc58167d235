import assert from 'node:assert/strict'
import { isIP } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import * as model from '../../../test/support/address-bits.ts'
import { type Address, type Cidr, contains } from '../../../test/support/address-bits.ts'
import { embeddedIPv4, isIPv6, parseAddress, parseCidrs } from './address.ts'
import { createGuard, GLOBAL_IPV6, METADATA_ADDRESSES, NAT64, SPECIAL_IPV4, SPECIAL_IPV6 } from './guard.ts'

const strict = createGuard({ allowCidrs: [] })

test('an address of a special IPv4 range is blocked in every URL notation', () => {
  for (const range of SPECIAL_IPV4) {
    fc.assert(
      fc.property(addressIn(range), fc.nat(), (address, pick) => {
        assert.notEqual(strict(text4(address.bits)), 'allowed')
        const notation = pickOf(notations4(Number(address.bits)), pick)
        const canonical = hostOf(notation)
        assert.equal(canonical, text4(address.bits), `${notation} is read as another address`)
      }),
      { numRuns: 200 },
    )
  }
})

test('the first and the last address of each special range are blocked, and public addresses next to them are allowed', () => {
  let neighbours = 0
  const all = cidrs([...SPECIAL_IPV4, ...SPECIAL_IPV6])
  for (const range of all) {
    const first = range.bits
    const last = range.bits | ((1n << BigInt(widthOf(range) - range.prefix)) - 1n)
    assert.notEqual(strict(textOf(range.family, first)), 'allowed')
    assert.notEqual(strict(textOf(range.family, last)), 'allowed')
    for (const bits of [first - 1n, last + 1n]) {
      if (bits < 0n || bits >> BigInt(widthOf(range)) !== 0n) continue
      if (all.some((other) => contains(other, { family: range.family, bits }))) continue
      if (range.family === 6 && bits >> 125n !== 1n) continue
      assert.equal(strict(textOf(range.family, bits)), 'allowed', textOf(range.family, bits))
      neighbours++
    }
  }
  assert.ok(neighbours >= 20, `only ${neighbours} neighbours were checked`)
})

test('an IPv4 address outside the special ranges is allowed unless it is a metadata address', () => {
  const special = cidrs(SPECIAL_IPV4)
  fc.assert(
    fc.property(fc.nat({ max: 0xffff_ffff }), (value) => {
      const address: Address = { family: 4, bits: BigInt(value) }
      const text = text4(address.bits)
      const expected = special.some((range) => contains(range, address)) ? 'special' : 'allowed'
      if (!(METADATA_ADDRESSES as readonly string[]).includes(text)) assert.equal(strict(text), expected)
    }),
  )
})

test('IPv6 is blocked outside 2000::/3 and inside its special ranges, in every notation', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), fc.nat(), (bits, pick) => {
      if (bits >> 125n === 1n || bits >> 32n === 0x64_ff9bn << 64n) return
      for (const notation of notations6(bits)) assert.notEqual(strict(notation), 'allowed', notation)
      const canonical = hostOf(`[${pickOf(notations6(bits), pick)}]`)
      assert.equal(bitsOf(canonical), bits)
    }),
  )
  for (const range of SPECIAL_IPV6) {
    fc.assert(
      fc.property(addressIn(range), (address) => {
        for (const notation of notations6(address.bits))
          assert.notEqual(strict(notation), 'allowed', notation)
      }),
      { numRuns: 100 },
    )
  }
})

test('a NAT64 address gets the verdict of its embedded IPv4 address', () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffff_ffff }), (value) => {
      const behind = (0x64_ff9bn << 96n) | BigInt(value)
      assert.equal(strict(text6(behind)), strict(text4(BigInt(value))))
    }),
  )
  assert.equal(strict('64:ff9b::8.8.8.8'), 'allowed')
  assert.equal(strict('64:ff9b::127.0.0.1'), 'special')
  assert.equal(strict('64:ff9b:1::8.8.8.8'), 'special')
  assert.equal(createGuard({ allowCidrs: ['127.0.0.0/8'] })('64:ff9b::127.0.0.1'), 'allowed')
  assert.ok(cidrs([NAT64]).length === 1)
})

test('a private IPv4 address embedded in IPv6 is blocked in every scheme', () => {
  const embedded = [
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '::127.0.0.1',
    '::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::1',
    'fe80::5efe:127.0.0.1',
    'fe80::1%eth0',
    '::1',
    '::',
    'fc00::1',
    'fd12:3456:789a::1',
    'ff02::1',
    '100::1',
    '5f00::1',
  ]
  for (const address of embedded) assert.equal(strict(address), 'special', address)
})

test('the first and last address of every range in the IANA registries are blocked, and public addresses next to them are allowed', () => {
  // From the IANA registries, not from the code: the range, then the public addresses next to it.
  const ranges: readonly [first: string, last: string, below: string | null, above: string | null][] = [
    ['0.0.0.0', '0.255.255.255', null, '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '255.255.255.255', '223.255.255.255', null],
    ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', null, '2000::'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7::', '2001:db9::'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:ffff::', '2003::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe:ffff::', '3fff:1000::'],
    ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '3fff:ffff::', null],
  ]
  for (const [first, last, below, above] of ranges) {
    for (const refused of [first, last]) assert.equal(strict(refused), 'special', refused)
    for (const allowed of [below, above]) if (allowed) assert.equal(strict(allowed), 'allowed', allowed)
  }
})

test('text that is not an address is blocked', () => {
  for (const text of [
    '',
    'localhost',
    '127.1',
    '0x7f.1',
    '2130706433',
    '1.2.3',
    ':::',
    '[::1',
    '8.8.8.8:80',
  ]) {
    assert.equal(strict(text), 'special', text)
  }
})

test('public addresses are allowed', () => {
  for (const address of [
    '8.8.8.8',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.0',
    '2606:4700::1111',
    '2a00:1450::1',
    '2003::1',
  ]) {
    assert.equal(strict(address), 'allowed', address)
  }
})

test('every guard blocks metadata addresses, also embedded in IPv6', () => {
  const permissive = createGuard({ allowCidrs: ['0.0.0.0/0', '::/0'] })
  assert.equal(permissive('10.0.0.1'), 'allowed')
  assert.equal(permissive('fd00::1'), 'allowed')
  for (const text of METADATA_ADDRESSES) {
    assert.equal(strict(text), 'metadata', text)
    assert.equal(permissive(text), 'metadata', text)
    const address = model.parseAddress(text)
    assert.ok(address)
    if (address.family === 6) continue
    const embedded = ['::ffff:', '::', '64:ff9b::', '::ffff:0:', 'fe80::5efe:', '64:ff9b:1::'].map(
      (prefix) => prefix + text,
    )
    const sixToFour = text6((0x2002n << 112n) | (address.bits << 80n))
    for (const form of [...embedded, sixToFour]) assert.equal(permissive(form), 'metadata', form)
  }
  assert.equal(
    permissive('2a00::169.254.169.254'),
    'allowed',
    'in a public address the same bits are a host number',
  )
})

test('an allowed block allows only its own addresses', () => {
  fc.assert(
    fc.property(
      addressIn('10.0.0.0/8'),
      fc.integer({ min: 8, max: 32 }),
      addressIn('10.0.0.0/8'),
      (base, prefix, other) => {
        const block = `${text4(base.bits)}/${prefix}`
        const guard = createGuard({ allowCidrs: [block] })
        const inside = contains({ ...base, prefix }, other)
        assert.equal(guard(text4(other.bits)), inside ? 'allowed' : 'special')
        assert.equal(guard('127.0.0.1'), 'special')
        assert.equal(guard(`::ffff:${text4(base.bits)}`), 'special', 'IPv4 blocks say nothing about IPv6')
      },
    ),
  )
})

test('the error for an invalid block names it and the allowed form', () => {
  const bad = [
    'banana',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    '::/129',
    '10.0.0/8',
    '/8',
    '10.0.0.0/8 x',
  ]
  for (const entry of bad) {
    const parsed = parseCidrs(['127.0.0.1', entry])
    assert.equal(parsed.ok, false, entry)
    assert.match(
      parsed.ok ? '' : parsed.message,
      /^".*" (is not an address block; write it like|has an invalid prefix length; for IPv)/,
    )
    assert.ok(!parsed.ok && parsed.message.includes(entry))
    assert.throws(() => createGuard({ allowCidrs: [entry] }))
  }
  const good = parseCidrs([' 10.0.0.5/8 ', '', '::1', 'fd00::/8'])
  assert.ok(good.ok)
  assert.deepEqual(
    good.cidrs.map(({ base, prefix }) => [base.kind(), prefix]),
    [
      ['ipv4', 8],
      ['ipv6', 128],
      ['ipv6', 8],
    ],
  )
})

test('every notation of an address is parsed to the same bytes', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), (bits) => {
      for (const notation of notations6(bits)) assert.equal(bitsOf(notation), bits, notation)
      const address = parseAddress(text6(bits))
      assert.ok(address && isIPv6(address))
      assert.equal(embeddedIPv4(address, 12).toString(), text4(bits & 0xffff_ffffn))
      assert.equal(embeddedIPv4(address, 2).toString(), text4((bits >> 80n) & 0xffff_ffffn))
    }),
  )
})

test("the guard's verdict matches bit arithmetic for every address", () => {
  const ranges = [...SPECIAL_IPV4, ...SPECIAL_IPV6, NAT64, GLOBAL_IPV6, '0.0.0.0/0', '::/0']
  const text4s = fc.oneof(
    ...ranges
      .filter((range) => !range.includes(':'))
      .map((range) => addressIn(range).map(({ bits }) => text4(bits))),
    fc.constantFrom(...METADATA_ADDRESSES.filter((address) => !address.includes(':'))),
  )
  const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', 'fe80::5efe:', '2a00::']
  const text6s = fc.oneof(
    ...ranges
      .filter((range) => range.includes(':'))
      .map((range) => addressIn(range).map(({ bits }) => text6(bits))),
    fc.constantFrom(...METADATA_ADDRESSES.filter((address) => address.includes(':'))),
    fc.tuple(fc.constantFrom(...prefixes), text4s).map(([prefix, text]) => prefix + text),
    fc
      .tuple(text4s, fc.bigInt({ min: 0n, max: (1n << 80n) - 1n }))
      .map(([text, rest]) =>
        text6((0x2002n << 112n) | ((model.parseAddress(text)?.bits ?? 0n) << 80n) | rest),
      ),
  )
  const anyText = fc.oneof(text4s, text6s, fc.ipV4Extended(), fc.ipV6(), fc.string({ maxLength: 20 }))
  const anyBlock = fc.oneof(
    fc.tuple(text4s, fc.nat({ max: 32 })).map(([text, prefix]) => `${text}/${prefix}`),
    fc.tuple(text6s, fc.nat({ max: 128 })).map(([text, prefix]) => `${text}/${prefix}`),
  )
  fc.assert(
    fc.property(
      fc.array(anyText, { minLength: 1, maxLength: 20 }),
      fc.array(anyBlock, { maxLength: 3 }),
      (texts, allowCidrs) => {
        const guard = createGuard({ allowCidrs })
        const expected = model.createBitGuard({ allowCidrs })
        for (const text of texts) assert.equal(guard(text), expected(text), text)
      },
    ),
    { numRuns: 500 },
  )
})

function addressIn(range: string): fc.Arbitrary<Address> {
  const [cidr] = cidrs([range])
  assert.ok(cidr)
  const size = 1n << BigInt(widthOf(cidr) - cidr.prefix)
  return fc
    .bigInt({ min: 0n, max: size - 1n })
    .map((offset) => ({ family: cidr.family, bits: cidr.bits + offset }))
}

/** The notations that the URL standard parses as the same IPv4 address. */
function notations4(value: number): string[] {
  const parts = [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255]
  const dotted = parts.join('.')
  return [
    dotted,
    String(value),
    `0x${value.toString(16)}`,
    `0${value.toString(8)}`,
    parts.map((part) => `0x${part.toString(16)}`).join('.'),
    parts.map((part) => `0${part.toString(8)}`).join('.'),
    `${parts[0]}.${value & 0xff_ffff}`,
    `${parts[0]}.${parts[1]}.${value & 0xffff}`,
    `${dotted}.`,
    dotted.replaceAll('.', '\u3002'),
    dotted.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    dotted.replace(/[1-9]/g, (digit) => String.fromCodePoint(0x2460 + Number(digit) - 1)),
  ]
}

function notations6(bits: bigint): string[] {
  const groups = groupsOf(bits)
  const full = groups.map((group) => group.toString(16).padStart(4, '0'))
  const dotted = `${full.slice(0, 6).join(':')}:${text4(bits & 0xffff_ffffn)}`
  return [
    text6(bits),
    full.join(':'),
    full.join(':').toUpperCase(),
    dotted,
    new URL(`http://[${text6(bits)}]/`).hostname.slice(1, -1),
  ]
}

function hostOf(notation: string): string {
  const host = new URL(`http://${notation}/`).hostname
  assert.notEqual(isIP(host.replace(/^\[|\]$/g, '')), 0, `${notation} became the name ${host}`)
  return host
}

/** The number of an address, as `parseAddress` parses it. */
function bitsOf(text: string): bigint | undefined {
  return parseAddress(text)
    ?.toByteArray()
    .reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
}

function textOf(family: 4 | 6, bits: bigint): string {
  return family === 4 ? text4(bits) : text6(bits)
}

function text4(bits: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (bits >> shift) & 255n).join('.')
}

function text6(bits: bigint): string {
  return groupsOf(bits)
    .map((group) => group.toString(16))
    .join(':')
}

function groupsOf(bits: bigint): bigint[] {
  return [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => (bits >> shift) & 0xffffn)
}

function widthOf(address: Address): number {
  return address.family === 4 ? 32 : 128
}

function cidrs(entries: readonly string[]): readonly Cidr[] {
  const parsed = model.parseCidrs(entries)
  assert.ok(parsed.ok)
  return parsed.cidrs
}

function pickOf(list: readonly string[], pick: number): string {
  return list[pick % list.length] ?? ''
}
