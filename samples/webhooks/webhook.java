// A webhook endpoint in Java 17 or newer without libraries: KOBO_SECRET_KEY=… java webhook.java
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

class Webhook {
    static final Pattern EVENT_TYPE = Pattern.compile("\"eventType\":\"([A-Z_]+)\"");

    static final String SECRET_KEY = System.getenv().getOrDefault("KOBO_SECRET_KEY", "");

    static String sign(byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA512");
            mac.init(new SecretKeySpec(SECRET_KEY.getBytes(StandardCharsets.UTF_8), "HmacSHA512"));
            return HexFormat.of().formatHex(mac.doFinal(body));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static boolean isGenuine(byte[] body, String signature) {
        byte[] given = (signature == null ? "" : signature).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(sign(body).getBytes(StandardCharsets.UTF_8), given); // in constant time
    }

    public static void main(String[] args) throws IOException {
        if (SECRET_KEY.isEmpty()) throw new IllegalStateException("KOBO_SECRET_KEY is missing"); // anyone can sign with an empty key
        String port = System.getenv().getOrDefault("PORT", "3000");
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(port)), 0);
        server.createContext("/", exchange -> {
            byte[] body = exchange.getRequestBody().readAllBytes(); // the raw body, before parsing
            boolean genuine = isGenuine(body, exchange.getRequestHeaders().getFirst("service-signature"));
            if (genuine) { // use a JSON library in a real program
                var type = EVENT_TYPE.matcher(new String(body, StandardCharsets.UTF_8));
                System.out.println("received " + (type.find() ? type.group(1) : ""));
            }
            exchange.sendResponseHeaders(genuine ? 200 : 401, -1);
            exchange.close();
        });
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }
}
