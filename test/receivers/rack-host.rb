# frozen_string_literal: true

# A minimal server for a Rack application: the standard library of Ruby has none.

require 'socket'
require 'stringio'

def run(application)
  $application = application
end
load ARGV.fetch(0)

server = TCPServer.new('127.0.0.1', Integer(ENV.fetch('PORT')))
loop do
  Thread.new(server.accept) do |socket|
    method = socket.gets.to_s.split.first
    env = { 'REQUEST_METHOD' => method }
    while (line = socket.gets.to_s.chomp) != ''
      name, value = line.split(': ', 2)
      env["HTTP_#{name.upcase.tr('-', '_')}"] = value
    end
    env['rack.input'] = StringIO.new(socket.read(env['HTTP_CONTENT_LENGTH'].to_i).to_s)
    # Rack servers answer an exception with 500.
    status, = begin
      $application.call(env)
    rescue StandardError => error
      warn error.full_message
      [500]
    end
    socket.write("HTTP/1.1 #{status} Answer\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
  ensure
    socket.close
  end
end
