import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { radarCommand, servedUrl, startRadar } from '../support/radar-command.ts'

/** A data folder with a backup of the account “before”, and a database of “before” and “after”, whose service was killed. */
async function killedService() {
  const folder = mkdtempSync(join(tmpdir(), 'radar-restore-'))
  const settings = { RADAR_PORT: '0', RADAR_DATA_DIR: folder, RADAR_ENRICHMENT: 'off' }
  const password = join(folder, 'password')
  writeFileSync(password, 'correct horse battery')
  const run = async (...words: string[]) => radarCommand(words, settings)
  const create = async (name: string) => {
    const email = `${name}@example.com`
    const { status, err } = await run('account', 'create', '--email', email, '--password-file', password)
    assert.equal(status, 0, err)
  }
  const running = startRadar(['serve'], settings)
  const kill = async (other: typeof running) => {
    other.process.kill('SIGKILL')
    await once(other.process, 'exit')
  }
  await servedUrl(running)
  await create('before')
  const backup = join(folder, 'backup.db')
  assert.equal((await run('backup', backup)).status, 0)
  await create('after')
  const whileRunning = await run('restore', backup)
  await kill(running)
  const file = join(folder, 'radar.db')
  assert.notEqual(statSync(`${file}-wal`).size, 0)
  return {
    ...{ folder, file, backup, run, whileRunning },
    accounts: async () => (await run('account', 'list')).out.match(/\w+(?=@example\.com)/g),
    start: async () => {
      const again = startRadar(['serve'], settings)
      await servedUrl(again)
      await kill(again)
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

describe('radar restore', () => {
  it('radar restore replaces the database by the backup, keeps the former one with its log, and refuses while a service runs', async () => {
    using killed = await killedService()
    const { folder, file, backup, run, whileRunning, accounts } = killed
    assert.deepEqual(whileRunning, {
      status: 1,
      out: '',
      err: `radar restore: A service runs on ${file}. Stop it, then restore.\n`,
    })
    assert.deepEqual(await accounts(), ['before', 'after'])
    const { status, out } = await run('restore', backup)
    assert.equal(status, 0)
    assert.match(
      out,
      /^.*radar\.db is now a copy of .*backup\.db\.\nThe former database is .*\.before-\d{8}T\d{6}Z\./,
    )
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(await accounts(), ['before'])
    await killed.start()
    assert.deepEqual(await accounts(), ['before'])
    const former = readdirSync(folder).filter((name) => /\.before-\w+$/.test(name))
    assert.equal(former.length, 1)
    assert.equal((await run('restore', join(folder, former[0] ?? ''))).status, 0)
    assert.deepEqual(await accounts(), ['before', 'after'])
  })

  it('radar restore refuses a file that is no intact backup, and leaves the database as it is', async () => {
    using killed = await killedService()
    const { folder, backup, run, accounts } = killed
    const bytes = readFileSync(backup)
    const files: Readonly<Record<string, Buffer>> = {
      text: Buffer.from('no database, but a text of more than sixteen bytes'),
      half: bytes.subarray(0, bytes.length / 2),
      damaged: Buffer.concat([bytes.subarray(0, 8_192), Buffer.alloc(40_960, 7), bytes.subarray(49_152)]),
    }
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), content)
      const { status, err } = await run('restore', join(folder, name))
      assert.equal(status, 1, name)
      assert.match(
        err,
        new RegExp(`^radar restore: The file .*/${name} is .* The database is unchanged\\.\n$`),
      )
    }
    assert.match((await run('restore', join(folder, 'none'))).err, /There is no file .*none\.\n$/)
    assert.deepEqual(await accounts(), ['before', 'after'])
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.includes('restoring')),
      [],
    )
  })
})

describe('a backup that was copied to the database beside the log of the former one', () => {
  it('a backup that was copied to the database beside the log of the former one is noticed at the start', async () => {
    using killed = await killedService()
    const { file, backup, run, accounts } = killed
    copyFileSync(backup, file)
    for (const words of [['serve'], ['doctor'], ['account', 'list']]) {
      const { status, out, err } = await run(...words)
      assert.equal(status, 1)
      assert.match(out + err, /was replaced, but .*radar\.db-wal still belongs to the former database/)
    }
    assert.equal((await run('restore', backup)).status, 0)
    assert.deepEqual(await accounts(), ['before'])
  })
})
