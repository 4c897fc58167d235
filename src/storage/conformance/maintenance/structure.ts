/**
 * The structure of a database as lines that a test can compare: everything that statements or plans may depend on, and
 * no rows. Both functions read the schema that the connection uses.
 */

export type Rows = (sql: string) => Promise<Record<string, unknown>[]>

/**
 * SQLite stores the text of each statement, so that text without comments, spaces and quotes says all: columns in their
 * order, checks, keys, `strict`, partial indexes. The indexes of a table are in the order of their creation, since equal
 * plans use the newest one.
 */
export async function sqliteStructure(rows: Rows): Promise<string[]> {
  const objects = await rows(
    "select tbl_name, sql from sqlite_schema where sql is not null and name not like 'sqlite!_%' escape '!' order by tbl_name, type = 'trigger', rowid",
  )
  return objects.flatMap(({ tbl_name, sql }) =>
    partsOf(normalized(String(sql))).map((part) => `${tbl_name}: ${part}`),
  )
}

const TOKENS = /'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\/|"(\w+)"|\s+|[^\s'"]/g

/** Without comments, spaces that separate nothing, and quotes of names that need none, which SQLite adds when it renames a table. */
function normalized(sql: string): string {
  const text = sql.replace(TOKENS, (token, name?: string) =>
    name !== undefined ? name : /^(--|\/\*|\s)/.test(token) ? ' ' : token,
  )
  return text.replace(/ +/g, ' ').replace(/ ?([(),]) ?/g, '$1')
}

/** The columns and constraints of a table, each on its own, so that a test names the one that differs. */
function partsOf(sql: string): string[] {
  if (!/^create table/i.test(sql)) return [sql]
  const parts = ['']
  let depth = 0
  for (const char of sql) {
    if (char === '(') depth += 1
    if (char === ')') depth -= 1
    if (char === ',' && depth === 1) parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
}

/** Names of not-null constraints are left out: PostgreSQL has them from version 18 on, and a renamed column keeps the old one. */
const POSTGRES_STRUCTURE = `
  with tables as (select c.* from pg_class c where c.relnamespace = current_schema()::regnamespace)
  select t.relname || ': ' || concat_ws(' ', t.relkind, t.relpersistence, t.relreplident, t.relrowsecurity,
      array(select unnest(t.reloptions) order by 1)) as line
    from tables t where t.relkind <> 'i'
  union all
  select t.relname || '.' || row_number() over (partition by t.oid order by a.attnum) || ': ' || concat_ws(' ', a.attname,
      format_type(a.atttypid, a.atttypmod), a.attnotnull, nullif(a.attidentity, ''), nullif(a.attgenerated, ''), a.attstorage,
      nullif(a.attcollation, 0)::regcollation, a.attstattarget, a.attoptions, pg_get_expr(d.adbin, d.adrelid))
    from tables t join pg_attribute a on a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = t.oid and d.adnum = a.attnum where t.relkind = 'r'
  union all
  select t.relname || ': ' || c.conname || ' ' || pg_get_constraintdef(c.oid)
    from tables t join pg_constraint c on c.conrelid = t.oid where c.contype <> 'n'
  union all
  select t.relname || ': ' || concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisunique, i.indisvalid)
    from tables t join pg_index i on i.indrelid = t.oid
  union all
  select t.relname || ': ' || concat_ws(' ', pg_get_triggerdef(g.oid), g.tgenabled)
    from tables t join pg_trigger g on g.tgrelid = t.oid where not g.tgisinternal
  union all
  select t.relname || ': ' || concat_ws(' ', format_type(s.seqtypid, null), s.seqstart, s.seqincrement, s.seqmin, s.seqmax, s.seqcache,
      s.seqcycle, d.refobjid::regclass || '.' || d.refobjsubid, d.deptype)
    from tables t join pg_sequence s on s.seqrelid = t.oid
    left join pg_depend d on d.objid = t.oid and d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass
  union all
  select p.proname || ': ' || pg_get_functiondef(p.oid)
    from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.prokind <> 'a'
  order by line`

export async function postgresStructure(rows: Rows): Promise<string[]> {
  return (await rows(POSTGRES_STRUCTURE)).map(({ line }) => String(line))
}
