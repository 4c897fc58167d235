# frozen_string_literal: true

require_relative 'receiver'

run Receiver.new(
  secrets: ENV.fetch('HOOK_SECRETS', '').split,
  inbox: ENV.fetch('INBOX', 'inbox'),
  tolerance_s: Integer(ENV.fetch('TOLERANCE_S', '300'))
)
