# A webhook endpoint in Ruby without gems: KOBO_SECRET_KEY=… ruby webhook.rb
require 'json'
require 'openssl'
require 'socket'

SECRET_KEY = ENV.fetch('KOBO_SECRET_KEY', '')
abort 'KOBO_SECRET_KEY is missing' if SECRET_KEY.empty? # anyone can sign with an empty key

server = TCPServer.new('127.0.0.1', Integer(ENV.fetch('PORT', '3000')))
$stdout.sync = true
puts "listening on #{server.addr[1]}"

loop do
  Thread.start(server.accept) do |client|
    client.gets # the request line
    headers = {}
    while (line = client.gets&.chomp) && !line.empty?
      name, value = line.split(':', 2)
      headers[name.downcase] = value.strip
    end
    body = client.read(Integer(headers.fetch('content-length', '0'))) || '' # the raw body, before parsing
    expected = OpenSSL::HMAC.hexdigest('SHA512', SECRET_KEY, body)
    given = headers.fetch('service-signature', '')
    genuine = OpenSSL.secure_compare(expected, given)
    if genuine
      event = JSON.parse(body)
      puts "received #{event['eventType']} #{event['eventData']['paymentReference']}"
    end
    client.write("HTTP/1.1 #{genuine ? '200 OK' : '401 Unauthorized'}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
    client.close
  end
end
