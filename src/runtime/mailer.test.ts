import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { startMailServer } from '../../test/support/mail-server.ts'
import { createMailer } from './mailer.ts'

const MAIL = { to: ['a@example.com', 'b@example.com'], subject: 'Reviews', text: 'Plain', id: 'evt_1' }

test('the mailer sends plain text beside HTML, with its own headers and Message-ID', async () => {
  await using server = await startMailServer()
  const mailer = createMailer(server.url, 'Radar <radar@example.com>')
  const headers = { 'list-unsubscribe': '<https://radar.example.com/u>' }
  assert.equal(await mailer.send({ ...MAIL, html: '<p>Rich</p>', headers }), null)
  const [mail] = await server.received(1)
  assert.deepEqual(mail?.to, MAIL.to)
  for (const part of ['Plain', '<p>Rich</p>', '<evt_1@example.com>', 'https://radar.example.com/u'])
    assert.ok(mail?.text.includes(part), part)
})

test('the mailer shows the recipients of one mail to none of them', async () => {
  await using server = await startMailServer()
  const mailer = createMailer(server.url, 'Review Radar <radar@example.com>')
  const to = ['ann@example.com', 'ben@example.org']
  assert.equal(await mailer.send({ to, subject: 'Subject', text: 'Text', id: 'id-1' }), null)
  const [mail] = await server.received(1)
  assert.deepEqual([mail?.from, mail?.to], ['radar@example.com', to])
  assert.match(mail?.text ?? '', /^To: Review Radar <radar@example\.com>\r?$/m)
  assert.doesNotMatch(mail?.text ?? '', /ann@|ben@/)
})

test('the mailer greets with the host of the public URL, or the domain of the sender, and its Message-IDs have the same', async () => {
  await using server = await startMailServer()
  const names = [
    ['https://radar.example.com/reviews', 'Radar <radar@mail.example>', 'radar.example.com'],
    ['http://192.0.2.7:8080', 'Radar <radar@mail.example>', 'mail.example'],
    ['http://[::1]:8080', 'radar@mail.example', 'mail.example'],
    ['http://radar:8080', 'radar@mail.example', 'mail.example'],
    [null, 'radar@b\u00fccher.example', 'xn--bcher-kva.example'],
  ] as const
  for (const [publicUrl, from] of names)
    assert.equal(await createMailer(server.url, from, { publicUrl }).send(MAIL), null)
  const mails = await server.received(names.length)
  assert.deepEqual(
    mails.map(({ greeting, text }) => [greeting, /^Message-ID: <evt_1@(.*)>/im.exec(text)?.[1]]),
    names.map(([, , name]) => [name, name]),
  )
})

test('the mailer keeps the name of the sender together, whatever signs it has', async () => {
  await using server = await startMailServer()
  const senders = [
    ['Reviews: Alarm; prod <radar@example.com>', '"Reviews: Alarm; prod" <radar@example.com>'],
    ['Radar (prod) <radar@example.com>', '"Radar (prod)" <radar@example.com>'],
    ['Radar, Inc. <radar@example.com>', '"Radar, Inc." <radar@example.com>'],
    ['"Radar, Inc." <radar@example.com>', '"Radar, Inc." <radar@example.com>'],
    ['<radar@example.com>', 'radar@example.com'],
    ['radar@example.com', 'radar@example.com'],
  ] as const
  for (const [from] of senders) assert.equal(await createMailer(server.url, from).send(MAIL), null)
  const mails = await server.received(senders.length)
  assert.deepEqual(
    mails.map(({ from, text }) => [from, /^From: (.*)/m.exec(text)?.[1]?.trim()]),
    senders.map(([, header]) => ['radar@example.com', header]),
  )
})

test('the mailer names the other scheme when the port of the server expects it', async () => {
  await using plain = await startMailServer()
  const tooEarly = await createMailer(plain.url.replace('smtp:', 'smtps:'), 'radar@example.com').send(MAIL)
  assert.match(tooEarly?.detail ?? '', /does not begin with TLS: use smtp:\/\/ .* RADAR_SMTP_URL/)
  // As a port with TLS from the start, which waits for the client.
  await using silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const mailer = createMailer(`smtp://127.0.0.1:${port}`, 'radar@example.com', { idleMs: 500 })
  assert.match((await mailer.send(MAIL))?.detail ?? '', /no greeting.*: use smtps:\/\/ .* RADAR_SMTP_URL/)
})

test('the mailer sends no password without TLS, unless the URL says so', async () => {
  await using server = await startMailServer({ takesPassword: true })
  const url = server.url.replace('//', '//radar:secret@')
  const failure = await createMailer(url, 'radar@example.com').send(MAIL)
  assert.match(failure?.detail ?? '', /STARTTLS/i)
  assert.deepEqual([server.passwords, server.mails], [[], []])
  assert.equal(await createMailer(`${url}?insecure=1`, 'radar@example.com').send(MAIL), null)
  assert.deepEqual(server.passwords, ['secret'])
})

test('the mailer sends pictures of the HTML form inside the mail', async () => {
  await using server = await startMailServer()
  const images = [{ cid: 'stars@radar', name: 'stars.png', png: Buffer.from('a picture') }]
  await createMailer(server.url, 'radar@example.com').send({
    ...MAIL,
    html: '<img src="cid:stars@radar">',
    images,
  })
  const [mail] = await server.received(1)
  const text = mail?.text ?? ''
  const parts = [
    'multipart/alternative',
    'multipart/related',
    'Content-Type: image/png; name=stars.png',
    'Content-ID: <stars@radar>',
    'Content-Disposition: inline; filename=stars.png',
    images[0]?.png.toString('base64') ?? '',
  ]
  for (const part of parts) assert.ok(text.includes(part), `${part} in ${text}`)
})

test('the mailer returns the code and the reply of a server that does not accept a mail', async () => {
  await using server = await startMailServer()
  const mailer = createMailer(server.url, 'radar@example.com')
  server.rejectAll(true)
  const failure = await mailer.send(MAIL)
  assert.equal(failure?.status, 550)
  assert.match(failure?.reply ?? '', /The mailbox is full/)
  assert.match(failure?.detail ?? '', /^The mail server did not accept the e-mail: /)
})

test('the mailer returns no code when the server cannot be reached', async () => {
  const failure = await createMailer('smtp://127.0.0.1:9', 'radar@example.com').send(MAIL)
  assert.deepEqual([failure?.status, failure?.reply, failure?.isPartial], [null, '', false])
})

test('the mailer closes the connection to a server that answers a little at a time, before another node would send the mail again', async () => {
  const closed = Promise.withResolvers<void>()
  await using server = createServer((socket) => {
    const timer = setInterval(() => socket.write('220-Wait\r\n'), 10)
    socket
      .on('error', () => {})
      .on('close', () => {
        clearInterval(timer)
        closed.resolve()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const mailer = createMailer(`smtp://127.0.0.1:${port}`, 'radar@example.com', { timeoutMs: 100 })
  const failure = await mailer.send(MAIL)
  assert.equal(failure?.detail, 'The mail server took longer than 0.1 s.')
  await closed.promise
})
