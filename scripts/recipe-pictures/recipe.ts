import { readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'

/** A workflow of n8n, as `integrations/n8n/recipes` has it. */
export type Recipe = {
  readonly nodes: readonly RecipeNode[]
  readonly connections: Readonly<
    Record<string, { readonly main: readonly (readonly { readonly node: string }[])[] }>
  >
}

export type RecipeNode = {
  readonly name: string
  readonly type: string
  readonly position: readonly [number, number]
  readonly parameters: Readonly<Record<string, unknown>>
}

const FOLDER = new URL('../../integrations/n8n/recipes/', import.meta.url)

export function recipeOf(name: string): Recipe {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8'))
}

export function nodeOf({ nodes }: Recipe, name: string): RecipeNode {
  const found = nodes.find((node) => node.name === name)
  if (found === undefined) throw new Error(`the recipe has no node "${name}"`)
  return found
}

/** What an expression of a recipe becomes, such as `={{ $json.rating }} stars`. The recipes are files of this project. */
export function filled(
  template: unknown,
  json: unknown,
  others: Readonly<Record<string, unknown>> = {},
): string {
  const scope = { $json: json, $: (name: string) => ({ item: { json: others[name] } }) }
  return String(template)
    .replace(/^=/, '')
    .replaceAll(/\{\{(.*?)\}\}(?!\})/gs, (_, expression: string) =>
      String(runInNewContext(expression, scope)),
    )
}
