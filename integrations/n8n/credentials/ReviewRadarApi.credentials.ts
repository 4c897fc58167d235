import type {
  ICredentialDataDecryptedObject,
  ICredentialTestRequest,
  ICredentialType,
  Icon,
  IHttpRequestOptions,
  INodeProperties,
} from 'n8n-workflow'

export class ReviewRadarApi implements ICredentialType {
  name = 'reviewRadarApi'

  displayName = 'Review Radar API'

  icon: Icon = { light: 'file:../icons/reviewRadar.svg', dark: 'file:../icons/reviewRadar.dark.svg' }

  documentationUrl = 'https://review-radar.example/docs/how-to/n8n'

  properties: INodeProperties[] = [
    {
      displayName: 'Address',
      name: 'baseUrl',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'https://radar.example.com',
      description: 'Address of your Review Radar installation, as n8n reaches it',
    },
    {
      displayName: 'Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      placeholder: 'rsk_…',
      description:
        'API token from the account page of the console. The trigger needs the scopes read and hooks, replays need operate.',
    },
  ]

  /** Not an expression: n8n evaluates none after a hook function has returned, when the sample event is sent. */
  authenticate = async (
    credentials: ICredentialDataDecryptedObject,
    options: IHttpRequestOptions,
  ): Promise<IHttpRequestOptions> => ({
    ...options,
    headers: { ...options.headers, Authorization: `Bearer ${String(credentials.token)}` },
  })

  test: ICredentialTestRequest = {
    request: { baseURL: '={{$credentials.baseUrl.replace(/\\/+$/, "")}}', url: '/api/v1/me' },
  }
}
