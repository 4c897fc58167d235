# frozen_string_literal: true

# Receives webhooks of Review Radar with the standard library of Ruby 3.0 or later, as a Rack application for Rails,
# Sinatra or any Rack server. How to run it: ../README.md

require 'fileutils'
require 'openssl'
require 'tempfile'

class Receiver
  BODY_BYTES_MAX = 1_048_576

  def initialize(secrets:, inbox:, tolerance_s: 300)
    raise ArgumentError, 'HOOK_SECRETS is missing. Set it to the secret of the hook.' if secrets.empty?

    @secrets = secrets
    @inbox = inbox
    @tolerance_s = tolerance_s
    FileUtils.mkdir_p(inbox)
  end

  # Called by Rack for each request.
  def call(env)
    [status(env), {}, []]
  end

  # Whether one of the secrets signed these bytes at most `tolerance_s` seconds before or after `now_s`.
  def self.verify(body, headers, secrets, now_s, tolerance_s)
    id = headers.fetch('webhook-id', '')
    timestamp = headers.fetch('webhook-timestamp', '')
    return false unless timestamp.match?(/\A[0-9]{1,12}\z/) && (now_s - timestamp.to_i).abs <= tolerance_s

    signatures = headers.fetch('webhook-signature', '').split
    # During a rotation, the service signs with each valid secret, and the receiver may have several secrets.
    secrets.any? do |secret|
      key = secret.delete_prefix('whsec_').unpack1('m')
      mac = OpenSSL::HMAC.digest('SHA256', key, "#{id}.#{timestamp}.".b + body.b)
      expected = "v1,#{[mac].pack('m0')}"
      signatures.any? { |signature| OpenSSL.secure_compare(expected, signature) }
    end
  end

  private

  def status(env)
    return 405 unless env['REQUEST_METHOD'] == 'POST'

    body = env['rack.input'].read(BODY_BYTES_MAX + 1) || ''
    return 413 if body.bytesize > BODY_BYTES_MAX

    names = %w[webhook-id webhook-timestamp webhook-signature]
    headers = names.to_h { |name| [name, env["HTTP_#{name.upcase.tr('-', '_')}"] || ''] }
    return 401 unless Receiver.verify(body, headers, @secrets, Time.now.to_i, @tolerance_s)

    id = headers['webhook-id']
    return 400 unless id.match?(/\A[0-9a-f]{64}\z/)

    puts "event #{id}" if store(id, body)
    204
  end

  # Writes the event to a file named by its ID before it is acknowledged, so a crash loses no event and a duplicate
  # changes nothing. Another program processes the files. Returns false for a duplicate.
  def store(id, body)
    Tempfile.create(['', '.part'], @inbox) do |part|
      part.binmode
      part.write(body)
      part.fsync
      File.link(part.path, File.join(@inbox, "#{id}.json"))
      true
    rescue Errno::EEXIST
      false
    end
  end
end
