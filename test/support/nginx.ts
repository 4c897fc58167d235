import { spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collected } from './collected.ts'
import { until } from './until.ts'

/** Why tests with a real nginx are skipped; false where it is installed. */
export const WITHOUT_NGINX: string | false =
  spawnSync('nginx', ['-v']).error === undefined || process.env.CI === 'true'
    ? false
    : 'nginx is not installed (apt-get install nginx-light)'

/** A real nginx on this port of 127.0.0.1 with this text in its server block, in one process that the test ends. */
export async function startNginx(
  port: number,
  server: string,
): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'radar-nginx-'))
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n')
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr;
events {}
http {
${temporary}
access_log off;
server { listen 127.0.0.1:${port}; ${server} }
}
`,
  )
  const child = spawn('nginx', ['-c', config, '-e', 'stderr'], { stdio: ['ignore', 'ignore', 'pipe'] })
  const errors = collected(child.stderr)
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const url = `http://127.0.0.1:${port}`
  await until('nginx answers', async () => {
    if (child.exitCode !== null) throw new Error(`nginx exited: ${errors()}`)
    return await fetch(url).then(
      () => true,
      () => false,
    )
  })
  return {
    url,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
