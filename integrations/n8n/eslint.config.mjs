import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes'
import parser from '@typescript-eslint/parser'

const { recommended } = n8nCommunityNodesPlugin.configs

export default [
  { ignores: ['dist', 'test', 'eslint.config.mjs', 'copy-assets.mjs'] },
  { ...recommended, files: ['**/*.ts', 'package.json'], languageOptions: { parser } },
]
